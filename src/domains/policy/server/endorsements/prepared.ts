import type { Day } from '#kernel/contract/time.ts';
import type { CheckedInputOf } from '#kernel/contract/call.ts';
import type { difference, previewEndorsement } from '../../contract/calls/endorsements.ts';
import type { HandKind } from '../../contract/dictionaries.ts';
import type { Person } from '../../contract/persons.ts';
import type { CoverChange } from '../../contract/rules/cover.ts';
import type { PolicyState } from '../../contract/states.ts';
import type { OrderLine } from '../premium/lines.ts';
import type { CoverUse } from '../uses/uses.ts';
import type * as z from 'zod/mini';

export type Change = CheckedInputOf<typeof previewEndorsement>['after'];
export interface Wish {
  kind: HandKind;
  effectiveOn: Day;
  after: Change;
}
export type Difference = z.output<typeof difference>;

/** Facts of the policy itself that an endorsement changes; undoing puts the earlier ones back. */
export interface PolicyFacts {
  state?: PolicyState;
  coverageEnd?: Day;
  holderType?: 'PERSON' | 'ORG';
  holderName?: string;
  holderIdNoCipher?: string | null;
  holderIdNoMasked?: string | null;
  holderIdHash?: string | null;
  holderContactCipher?: string | null;
  holderContactMasked?: string | null;
}

/** One person whom an endorsement touches; without an id he is new. */
export interface PersonWork {
  insuredItemId: string | null;
  name: string;
  change: CoverChange;
  /** What it costs; of a new person without his id. */
  lines: OrderLine[];
}

/** What an endorsement will do, computed under the lock of its policy when it takes effect, and without it when it is looked at. */
export interface Prepared {
  persons: PersonWork[];
  /** Facts of the person who comes in, or of the one who is corrected. */
  person: Person | null;
  policyFacts: PolicyFacts;
  differences: Difference[];
  uses: CoverUse[];
  /** First day whose cover changes. */
  firstDay: Day;
}
