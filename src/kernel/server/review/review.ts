import { sql } from 'kysely';
import type { Dictionary } from '../../contract/dictionary.ts';
import type { ErrorDeclaration } from '../../contract/errors.ts';
import type { CommandContext } from '../context.ts';
import type { Secrets } from '../sensitive/secrets.ts';

/** The case that materials are handed in for, as its domain names it in the audit trail. */
export interface Owner {
  type: string;
  id: string;
}

export type Writes = Pick<CommandContext, 'tx' | 'now' | 'staffOrNull'>;

/** Signals that the kernel looks for itself; a domain names further ones in its dictionary. */
export type OwnSignal = 'FILE' | 'IMAGE' | 'PERSON';

export interface ReviewSettings<Type extends string, Signal extends string> {
  /** Of the tables that `kernel_review_tables` made: `enrol`. */
  prefix: string;
  secrets: Secrets;
  types: Dictionary<Type>;
  signals: Dictionary<Signal | OwnSignal>;
  refusals: {
    /** Nothing is asked for. */
    nothing: ErrorDeclaration;
    /** The deadline is out of its bounds. */
    days: ErrorDeclaration;
    /** What is missing was asked for once already. */
    again: ErrorDeclaration;
    /** Nothing of what was asked for was handed in. */
    unanswered: ErrorDeclaration;
  };
}

export interface DuplicateSearch {
  /** Also what one and the same person handed in for another case: an invoice that is claimed twice. */
  filesOfSamePerson?: boolean;
}

type Part = 'file' | 'supplement' | 'material' | 'duplicate';
export const tableOf = (prefix: string, part: Part) => sql.table(`${prefix}_${part}`);
export const ofOwner = ({ type, id }: Owner) => sql`owner_type = ${type} and owner_id = ${id}`;
