import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { conditionRow, type ConditionRow } from '../../contract/rules/conditions.ts';
import type { ContentMarkRule } from '../tables.ts';

const storedRows = z.array(conditionRow);

/** Conditions as the database holds them. */
export const readConditions = (stored: unknown): ConditionRow[] => storedRows.parse(stored);

interface Content {
  markId: string;
  conditions: readonly ConditionRow[];
  removeWhenFalse: boolean;
}

/** What a dry run judges: a change of any of it asks for another one. When a rule runs is no part of it. */
export const hashOf = ({ markId, conditions, removeWhenFalse }: Content): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        markId,
        removeWhenFalse,
        conditions.map(({ variableCode, operator, value, groupNo }) => [variableCode, operator, value, groupNo]),
      ]),
    )
    .digest('hex');

/** A rule as it judges objects. */
export interface JudgedRule extends Content {
  id: string;
  groupId: string;
  objectType: ContentMarkRule['objectType'];
  selectMode: ContentMarkRule['selectMode'];
}
