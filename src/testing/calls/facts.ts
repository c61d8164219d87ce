import { sql } from 'kysely';
import type { Call } from '#kernel/contract/call.ts';
import type { TestStaff } from '../staff.ts';
import type { TestApp } from '../testApp.ts';

/** Words about somebody's health. Numbers of persons are concealed wherever they stand. */
export const MEDICAL = new Set([
  'chiefComplaint',
  'presentIllness',
  'pastHistory',
  'familyHistory',
  'allergy',
  'allergyHistory',
  'diagnoses',
  'icd10',
  'regimen',
  'advice',
  'conclusion',
  'indicators',
  'medicines',
  'symptom',
]);
/** What only its owner may read, by the name of its field. A lease token is worth nothing to anybody else. */
export const SECRET_FIELD = /[pP]assword$|[sS]ecret$|[tT]oken$|Sig$|Sign$|[cC]redential$|^Authorization$/;

/** Rows of the operation log that somebody's calls left. */
export const loggedOf = async (app: TestApp, call: Call, { userId }: TestStaff) =>
  (
    await sql<{ rows: number }>`
      select count(*)::int as rows from identity_operation_log
      where call = ${call.path} and user_id = ${userId}`.execute(app.db)
  ).rows[0]!.rows;
