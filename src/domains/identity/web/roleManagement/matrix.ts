interface Holder {
  permissions: readonly { code: string; label: string; risk: string }[];
}

export interface MatrixRow {
  code: string;
  label: string;
  high: boolean;
  /** In the order of the roles. */
  held: boolean[];
  different: boolean;
}

/** Every permission that one of the roles holds, and which of them do; sorted by code, so that domains stand together. */
export function matrixOf(roles: readonly Holder[]): MatrixRow[] {
  const all = new Map(roles.flatMap((role) => role.permissions.map((permission) => [permission.code, permission] as const)));
  const sets = roles.map((role) => new Set(role.permissions.map(({ code }) => code)));
  return [...all.values()]
    .sort((a, b) => a.code.localeCompare(b.code))
    .map(({ code, label, risk }) => {
      const held = sets.map((set) => set.has(code));
      return { code, label, high: risk === 'HIGH', held, different: held.some((has) => has !== held[0]) };
    });
}
