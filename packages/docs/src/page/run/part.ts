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

/** Adds a style sheet, and resolves once it has loaded, or failed: without the styles, everything works but looks plain. */
export function styles(parent: ParentNode, href: string): Promise<unknown> {
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
  parent.append(link);
  return new Promise((resolve) => {
    link.addEventListener("load", resolve);
    link.addEventListener("error", resolve);
  });
}
