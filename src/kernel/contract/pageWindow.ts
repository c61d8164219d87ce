import type { PermissionDeclaration } from './permission.ts';

/**
 * A drawer or dialog of a domain that pages of definitions may open (`kq-window`), over a record or by itself; `fillWindow` gives its
 * browser part.
 */
export interface PageWindow {
  /** `card.billLines` */
  name: string;
  /** What it is called where definitions are written. */
  label: string;
  /** Whoever may not open it does not see its button. */
  permission: PermissionDeclaration;
  /** It is of no record: a button of the page or its tool bar opens it, and the definition names no `record`. */
  alone?: true;
}
