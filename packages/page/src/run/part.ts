/** Adds an element with a text. Everything that a program says goes through here: it is text, and never markup. */
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
