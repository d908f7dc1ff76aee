/** Adds an element with a text. All output of programs is added here, as text and never as markup. */
export function part<Name extends keyof HTMLElementTagNameMap>(
  parent: Element,
  name: Name,
  className = "",
  text = "",
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  if (className !== "") element.className = className;
  element.textContent = text;
  parent.append(element);
  return element;
}
