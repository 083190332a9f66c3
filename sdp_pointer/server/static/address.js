// What the address holds after its #: each field that is not as the page came, by its name.

const valueOf = (field) => (field.type === "checkbox" ? String(Number(field.checked)) : field.value);

function initialOf(field) {
  if (field.type === "checkbox") return String(Number(field.defaultChecked));
  if (field.options) return field.options[0].value;
  return field.defaultValue;
}

const isTouched = (field) => valueOf(field) !== initialOf(field);

export const areUntouched = (fields) => !fields.some(isTouched);

export function addressOf(fields) {
  return String(new URLSearchParams(fields.filter(isTouched).map((field) => [field.name, valueOf(field)])));
}

// What an address does not hold, or what a field cannot have, is as the page came.
export function fill(fields, address) {
  const values = new URLSearchParams(address);
  for (const field of fields) {
    const value = values.get(field.name) ?? initialOf(field);
    if (field.type === "checkbox") field.checked = value === "1";
    else field.value = value;
    if (field.options && field.selectedIndex < 0) field.selectedIndex = 0;
  }
}
