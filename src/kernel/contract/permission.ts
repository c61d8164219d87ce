type Risk = 'NORMAL' | 'HIGH';

/** One right of the product, named `{domain}.{resource}.{action}`; docs/design/permissions.csv lists them all. */
export interface PermissionDeclaration {
  code: string;
  label: string;
  domain: string;
  risk: Risk;
  defaultRoles: readonly string[];
  /** Pages under which the right is offered in the role editor. */
  routes: readonly string[];
  /** Of signed calls: given to machine callers alone, never to a role. */
  machine: boolean;
  /** What it decides about, if it does: another person's work (`duties.ts`). */
  decides: Decision | null;
}

/** A right of decision: who holds it should not hold the rights of those whose work it decides about. */
interface Decision {
  /** The document as operators call it. */
  document: string;
  /** Rights of those who make it, and of those who judged it on a lower level: codes of the same domain, without its name. */
  of: readonly string[];
  /** Money moves by it: nobody may hold both. Otherwise both are a warning. */
  money?: boolean;
}
export type MachinePermission = PermissionDeclaration & { machine: true };

interface PermissionEntry {
  label: string;
  risk?: Risk;
  /** Roles besides SUPER_ADMIN that hold it at first, `|`-separated as in permissions.csv. */
  roles: string;
  routes?: readonly string[];
  /** Money moves: administrators do not hold it. */
  withoutSuperAdmin?: boolean;
  decides?: Decision;
}
interface MachineEntry {
  label: string;
  risk?: Risk;
}

/** Declares the rights of a domain, keyed by their codes without the domain's name. */
export function declarePermissions<const T extends Record<string, PermissionEntry>>(
  domain: string,
  table: T,
): { [K in keyof T]: PermissionDeclaration } {
  const declare = ([rest, entry]: [string, PermissionEntry]): [string, PermissionDeclaration] => [
    rest,
    {
      code: `${domain}.${rest}`,
      label: entry.label,
      domain,
      risk: entry.risk ?? 'NORMAL',
      defaultRoles: [...(entry.withoutSuperAdmin ? [] : ['SUPER_ADMIN']), ...entry.roles.split('|').filter(Boolean)],
      routes: entry.routes ?? [],
      machine: false,
      decides: entry.decides ?? null,
    },
  ];
  const declared: Record<string, PermissionDeclaration> = Object.fromEntries(Object.entries(table).map(declare));
  return declared as { [K in keyof T]: PermissionDeclaration };
}

/** Declares what machine callers may be given in a domain: `{domain}.machine.{action}`. */
export function declareMachinePermissions<const T extends Record<string, MachineEntry>>(
  domain: string,
  table: T,
): { [K in keyof T]: MachinePermission } {
  const declare = ([action, { label, risk = 'HIGH' }]: [string, MachineEntry]): [string, MachinePermission] => [
    action,
    { code: `${domain}.machine.${action}`, label, domain, risk, defaultRoles: [], routes: [], machine: true, decides: null },
  ];
  const declared: Record<string, MachinePermission> = Object.fromEntries(Object.entries(table).map(declare));
  return declared as { [K in keyof T]: MachinePermission };
}
