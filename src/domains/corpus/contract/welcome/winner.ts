import type { Day } from '#kernel/contract/time.ts';
import { autoScope, type AutoScope, type AutoTrigger } from './dictionaries.ts';

export interface Candidate {
  id: string;
  triggerType: AutoTrigger;
  scopeType: AutoScope;
  scopeId: string | null;
  validFrom: Day | null;
  validTo: Day | null;
}

/** What is known of the moment at which a message may be due. */
export interface TriggerFacts {
  triggerType: AutoTrigger;
  on: Day;
  channelId: string | null;
  doctorId: string | null;
  serviceItemId: string | null;
  /** Of the patient's diagnoses, or of the code that he scanned. */
  diseaseIds: readonly string[];
}

/** Why a message is sent or not; `OUTRANKED`: a narrower one goes before it. */
export type Verdict = 'WINS' | 'OUTRANKED' | 'OTHER_SCOPE' | 'NOT_VALID' | 'OTHER_TRIGGER';

const inScope = ({ scopeType, scopeId }: Candidate, facts: TriggerFacts): boolean => {
  switch (scopeType) {
    case 'CHANNEL':
      return scopeId === facts.channelId;
    case 'DOCTOR':
      return scopeId === facts.doctorId;
    case 'SERVICE_ITEM':
      return scopeId === facts.serviceItemId;
    case 'DISEASE':
      return scopeId !== null && facts.diseaseIds.includes(scopeId);
    case 'DEFAULT':
      return true;
  }
};

const verdictOf = (one: Candidate, facts: TriggerFacts): Verdict => {
  if (one.triggerType !== facts.triggerType) return 'OTHER_TRIGGER';
  if ((one.validFrom !== null && facts.on < one.validFrom) || (one.validTo !== null && facts.on > one.validTo)) return 'NOT_VALID';
  return inScope(one, facts) ? 'OUTRANKED' : 'OTHER_SCOPE';
};

const rank = ({ scopeType }: Candidate) => autoScope.codes.indexOf(scopeType);

/**
 * The verdict on every candidate (R13). Of two diseases of one patient the older message wins, so that the answer never depends on their
 * order. Pure.
 */
export function resolveWinner<C extends Candidate>(
  candidates: readonly C[],
  facts: TriggerFacts,
): { winner: C | null; verdicts: ReadonlyMap<string, Verdict> } {
  const verdicts = new Map(candidates.map((one) => [one.id, verdictOf(one, facts)]));
  const [winner = null] = candidates
    .filter(({ id }) => verdicts.get(id) === 'OUTRANKED')
    .toSorted((a, b) => rank(a) - rank(b) || (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
  if (winner) verdicts.set(winner.id, 'WINS');
  return { winner, verdicts };
}
