// Runs inside the page: what an element is in, and what is in it. A form has its fields as properties, before its own: of a
// form with a field named children or parentElement, `form.children` is that field, and `form.parentElement` leads back down.
export default function () {
  const getterOf = (owner: object, name: string) => Object.getOwnPropertyDescriptor(owner, name)?.get;
  const readParent = getterOf(Node.prototype, 'parentElement');
  const readChildren = getterOf(Element.prototype, 'children');

  const parentElement = (node: Node): HTMLElement | null => readParent?.call(node);

  const children = (element: Element): HTMLCollection => readChildren?.call(element);

  const contains = (outer: Node, inner: Node | null): boolean => Node.prototype.contains.call(outer, inner);

  return { parentElement, children, contains };
}
