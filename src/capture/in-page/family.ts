// Runs inside the page: the parent, the children and the descendants of an element. The fields of a form hide its properties of
// the same name: with a field named parentElement, `form.parentElement` is that field, and a loop over its ancestors would not end.
export default function () {
  const getterOf = (owner: object, name: string) => Object.getOwnPropertyDescriptor(owner, name)?.get;
  const readParent = getterOf(Node.prototype, 'parentElement');
  const readChildren = getterOf(Element.prototype, 'children');

  const parentElement = (node: Node): HTMLElement | null => readParent?.call(node);

  const children = (element: Element): HTMLCollection => readChildren?.call(element);

  const contains = (outer: Node, inner: Node | null): boolean => Node.prototype.contains.call(outer, inner);

  return { parentElement, children, contains };
}
