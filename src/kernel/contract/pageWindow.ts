import type { PermissionDeclaration } from './permission.ts';

/** A drawer or dialog of a domain that pages of definitions may open over a record (`kq-window`); `fillWindow` gives its browser part. */
export interface PageWindow {
  /** `card.billLines` */
  name: string;
  /** What it is called where definitions are written. */
  label: string;
  /** Whoever may not open it does not see its button. */
  permission: PermissionDeclaration;
}
