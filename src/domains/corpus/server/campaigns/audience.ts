import { dayOf, type Instant } from '#kernel/contract/time.ts';
import type { Db, Tx, Writing } from '#kernel/server/context.ts';
import { listByDiagnosis } from '#domains/patient/server/index.ts';
import type { AudienceResult } from '../../contract/campaigns/dictionaries.ts';
import type { GateVerdict } from '../../contract/engine/gate.ts';
import { judgeRows } from '../../contract/engine/evaluateUnit.ts';
import type { FrozenRow } from '../../contract/engine/snapshot.ts';
import { own } from '../database.ts';
import { judgeSend, placeOf, readMoment, type OtherSend } from '../engine/claimOthers.ts';
import { countsOf } from '../engine/claim.ts';
import { CHUNK } from '../engine/evaluation.ts';
import { settingForShare } from '../engine/setting.ts';
import { askedBy, readTexts } from '../engine/texts.ts';
import { unitFacts, unitKey, type FactUnit } from '../facts/unitFacts.ts';
import { openUnits } from '../facts/units.ts';
import type { campaignRecord } from './rows.ts';

export type Campaign = Awaited<ReturnType<typeof campaignRecord.get>>;

/** Stored rows were checked and frozen when they were saved. */
export const rowsOf = ({ rows }: Pick<Campaign, 'rows'>): FrozenRow[] => rows as FrozenRow[];

/** Those of the persons whose facts meet the conditions, in one of their conversations or by themselves. */
async function meeting(db: Db | Tx, patientIds: readonly string[], rows: readonly FrozenRow[], now: Instant): Promise<string[]> {
  if (rows.length === 0 || patientIds.length === 0) return [...patientIds];
  const open = await openUnits(db, patientIds);
  const units = patientIds.flatMap((patientId): FactUnit[] => {
    const ofPatient = open.get(patientId) ?? [];
    return ofPatient.length > 0
      ? ofPatient.map(({ conversationId, doctorId }) => ({ patientId, conversationId, doctorId }))
      : [{ patientId, conversationId: null, doctorId: null }];
  });
  const facts = await unitFacts(
    db,
    units,
    rows.map(({ variableCode }) => variableCode),
    now,
  );
  const held = new Set(units.filter((unit) => judgeRows(rows, facts.get(unitKey(unit))!).held).map(({ patientId }) => patientId));
  return patientIds.filter((id) => held.has(id));
}

/**
 * Everybody of an audience as things stand: with one of the diseases and meeting the conditions, or named or imported; less who is left
 * out.
 */
export async function audienceOf(
  db: Db | Tx,
  campaign: Pick<Campaign, 'diseaseIds' | 'rows' | 'includePatientIds' | 'importedPatientIds' | 'excludePatientIds'>,
  now: Instant,
): Promise<string[]> {
  const { diseaseIds, includePatientIds, importedPatientIds, excludePatientIds } = campaign;
  const people = new Set([...includePatientIds, ...importedPatientIds]);
  const diseases =
    diseaseIds.length === 0
      ? []
      : await own(db).selectFrom('corpusDisease').select('icd10Prefixes').where('id', 'in', diseaseIds).execute();
  const prefixes = [...new Set(diseases.flatMap(({ icd10Prefixes }) => icd10Prefixes))];
  for (let after = '0'; prefixes.length > 0;) {
    const persons = await listByDiagnosis(db, prefixes, after, CHUNK);
    if (persons.length === 0) break;
    for (const id of await meeting(db, persons, rowsOf(campaign), now)) people.add(id);
    after = persons.at(-1)!;
  }
  for (const id of excludePatientIds) people.delete(id);
  return [...people];
}

const resultOf = (verdict: GateVerdict): AudienceResult => {
  // Night and a live conversation only put a message off.
  if (verdict.do === 'SEND' || (verdict.do === 'HOLD' && (verdict.reason === 'QUIET' || verdict.reason === 'ACTIVE'))) return 'SEND';
  if (verdict.do === 'CANCEL' || verdict.do === 'STOP_RUN') return 'OTHER';
  const { reason } = verdict;
  return reason === 'KILL' || reason === 'CAP' || reason === 'NO_CONSENT' || reason === 'NO_CHANNEL' ? reason : 'OTHER';
};

export interface Judged {
  patientId: string;
  result: AudienceResult;
  reason: string;
}

/** What the engine's gates say of each person now: the same function with the same facts that decide when it is sent. */
export async function judgeAudience(writing: Writing, campaign: Campaign, patientIds: readonly string[], now: Instant): Promise<Judged[]> {
  const judged: Judged[] = [];
  for (let start = 0; start < patientIds.length; start += CHUNK) {
    const chunk = patientIds.slice(start, start + CHUNK);
    const sends = chunk.map((patientId): OtherSend => ({
      sourceKind: 'CAMPAIGN',
      patientId,
      conversationId: null,
      target: campaign.target,
      touchKind: campaign.touchKind,
      materialIds: campaign.materialIds,
      smsText: null,
      immediate: false,
      dueAt: now,
      // That it keeps until then is asked when it is planned.
      expiresAt: '9999-12-31T00:00:00.000Z',
    }));
    const moment = await readMoment(writing, await settingForShare(writing.tx), sends, now);
    const counts = await countsOf(writing.tx, chunk, dayOf(now));
    const placed = sends.map((send) => ({ send, unit: placeOf(send, moment) }));
    const texts = await readTexts(
      writing.tx,
      placed.map(({ send, unit }) => ({
        patientId: send.patientId,
        doctorId: unit?.doctorId ?? null,
        conversationId: unit?.conversationId ?? null,
        diseaseId: null,
      })),
      { ...askedBy(moment.materials.values()), labels: moment.labels },
      now,
    );
    for (const { send, unit } of placed) {
      const { verdict, trace } = judgeSend(send, unit, moment, texts, counts.get(send.patientId)!);
      const result = resultOf(verdict);
      judged.push({ patientId: send.patientId, result, reason: result === 'SEND' ? '' : (trace.findLast(({ ok }) => !ok)?.note ?? '') });
    }
  }
  return judged;
}
