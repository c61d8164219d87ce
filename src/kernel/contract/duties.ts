import type { PermissionDeclaration } from './permission.ts';

/** Two rights about one document: one makes it, the other decides about it. One person should not hold both. */
export interface DutyPair {
  makes: string;
  decides: string;
  document: string;
  /** Refused where somebody would hold both; otherwise he is warned. */
  money: boolean;
}

/** All pairs of the product, as the rights of decision declare them. */
export const dutyPairs = (permissions: readonly Pick<PermissionDeclaration, 'code' | 'decides' | 'domain'>[]): DutyPair[] =>
  permissions.flatMap(({ code, domain, decides }) =>
    (decides?.of ?? []).map((makes) => ({
      makes: `${domain}.${makes}`,
      decides: code,
      document: decides!.document,
      money: decides!.money ?? false,
    })),
  );

/** The pairs that somebody with these rights joins. */
export const joinedPairs = (pairs: readonly DutyPair[], held: ReadonlySet<string>): DutyPair[] =>
  pairs.filter(({ makes, decides }) => held.has(makes) && held.has(decides));
