/** The text of a form's field; files, which no form here has, count as nothing. */
export function text(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
