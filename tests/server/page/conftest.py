"""A browser for the tests of the page."""

import shutil

import pytest

from tests.server.page.browser import FLAGS, Page, missing


@pytest.fixture(scope="package")
def driver(tmp_path_factory):
    names = [name for name in ("chromium", "chromedriver") if shutil.which(name) is None]
    if names:
        missing(
            f"there is no {' and no '.join(names)}: as root, `make browser` installs them"
            " (apt-get install chromium chromium-driver)"
        )
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('chromium')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options, webdriver.ChromeService(shutil.which("chromedriver")))
    yield driver
    driver.quit()


@pytest.fixture
def page(driver, server):
    return Page(driver, server.url)
