import type { Day } from '#kernel/contract/time.ts';
import { phaseOf, productVersionStates, type DocumentState } from '../../contract/documents/states.ts';
import type { VersionBrief } from '../../contract/products/calls.ts';

interface Stored {
  id: string;
  versionNo: number;
  effectiveFrom: Day;
  effectiveTo: Day | null;
  state: DocumentState;
  changeNote: string;
  makerId: string | null;
  checkerId: string | null;
  version: number;
}

/** A version as lists of versions show it. @param names of its maker and checker */
export function briefOf(
  { id, versionNo, effectiveFrom, effectiveTo, state, changeNote, makerId, checkerId, version }: Stored,
  names: ReadonlyMap<string, string>,
  viewer: { today: Day; has(code: string): boolean },
): VersionBrief {
  return {
    id,
    versionNo,
    effectiveFrom,
    effectiveTo,
    state,
    changeNote,
    makerId,
    makerName: makerId === null ? null : (names.get(makerId) ?? null),
    checkerId,
    checkerName: checkerId === null ? null : (names.get(checkerId) ?? null),
    version,
    phase: phaseOf({ state, effectiveFrom, effectiveTo }, viewer.today),
    allowedActions: productVersionStates.allowed(state, (code) => viewer.has(code)),
  };
}
