// Elements in one expression.

type Child = Node | string | null | undefined | false;
type Properties = Record<string, string | number | boolean | undefined | ((event: never) => void)>;

function apply(element: Element, properties: Properties, children: readonly Child[]): void {
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === 'function') element.addEventListener(name.replace(/^on/, ''), value as EventListener);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
}

/** h('button', { class: 'x', onclick: f }, 'text') */
export function h<Name extends keyof HTMLElementTagNameMap>(name: Name, properties: Properties = {}, ...children: Child[]):
    HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  apply(element, properties, children);
  return element;
}

export function s<Name extends keyof SVGElementTagNameMap>(name: Name, properties: Properties = {}, ...children: Child[]):
    SVGElementTagNameMap[Name] {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  apply(element, properties, children);
  return element;
}

export function paragraphs(texts: readonly string[]): HTMLElement[] {
  return texts.map((text) => h('p', {}, text));
}

/** Sets text only where it differs, so that screen readers hear a live region once. */
export function say(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

export function reducedMotion(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}
