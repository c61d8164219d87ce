import { sql } from 'kysely';
import { refuseField } from '#kernel/contract/errors.ts';
import { command, query, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { job } from '#kernel/server/jobs/declaration.ts';
import { authorColumns } from '#kernel/server/command/stampedColumns.ts';
import { consentChanged } from '#events/patient.ts';
import { attach } from '#domains/files/server/index.ts';
import { userBrief } from '#domains/identity/server/index.ts';
import { addConsent, addConsentText, queryConsentList, queryConsentTextList, withdrawConsent } from '../../contract/calls/consent.ts';
import { consentTypes, type ConsentState, type ConsentType } from '../../contract/dictionaries.ts';
import { patientErrors } from '../../contract/errors.ts';
import { lockPatient, openPatient } from '../access.ts';
import { lockKeys, own, ownTx } from '../database.ts';
import { attachFiles, requireFiles, fileHash, RECORD_PURPOSE, TEXT_OWNER } from '../files.ts';
import { TARGET } from '../persons/save.ts';
import { keepConsent } from './state.ts';

const CHUNK = 500;
const STAFF_CHANNEL = '后台';

interface TypeState {
  consentType: ConsentType;
  state: ConsentState;
  docVersion: string | null;
  at: string | null;
  currentVersion: string | null;
}

/** The state of every type; agreements to a text that lapsed by now show as lapsed though no job ran yet. */
const statesOf = (groupIds: readonly string[], now: string) => sql<TypeState>`
  select k.consent_type,
      coalesce(
        case
          when s.state = 'VALID'
          and exists (
            select from patient_consent_text n
              join patient_consent_text t on t.consent_type = n.consent_type and t.doc_version = s.doc_version
              where n.consent_type = k.consent_type
                and n.resign
                and n.effective_from <= ${now}::timestamptz
                and n.effective_from > t.effective_from
          ) then 'LAPSED'
          else s.state
        end,
        'NONE'
      ) as state,
      s.doc_version, s.at,
      (
        select t.doc_version
          from patient_consent_text t
          where t.consent_type = k.consent_type and t.effective_from <= ${now}::timestamptz
          order by t.effective_from desc, t.id desc limit 1
      ) as current_version
    from unnest(${[...consentTypes.codes]}::text[]) with ordinality as k (consent_type, n)
    left join lateral (
      select s.state, s.doc_version, s.at
        from patient_consent_state s
        where s.patient_id = any(${[...groupIds]}::bigint[]) and s.consent_type = k.consent_type
        order by s.at desc limit 1
    ) s on true
    order by k.n`;

export const consentHandlers = (kernel: Kernel): readonly Handler[] => [
  query(queryConsentList, async ({ patientId, consentType }, ctx) => {
    const seen = await openPatient(ctx.db, ctx.staff, patientId, ctx.now, { ctx, part: '授权同意' });
    let selected = own(ctx.db).selectFrom('patientConsent').selectAll().where('patientId', 'in', seen.groupIds);
    if (consentType) selected = selected.where('consentType', '=', consentType);
    const rows = await selected.orderBy('at', 'desc').orderBy('id', 'desc').limit(300).execute();
    const users = new Map(
      (
        await userBrief(
          ctx.db,
          rows.flatMap(({ createdBy }) => createdBy ?? []),
        )
      ).map((user) => [user.userId, user.displayName]),
    );
    const { rows: states } = await statesOf(seen.groupIds, ctx.now).execute(ctx.db);
    return {
      states: states.filter((row) => !consentType || row.consentType === consentType),
      history: rows.map((row) => ({
        ...row,
        createdBy: row.createdBy && (users.get(row.createdBy) ?? null),
      })),
    };
  }),
  command(addConsent, async ({ patientId, evidenceFileId, ...act }, ctx) => {
    const seen = await lockPatient(ctx.tx, ctx.staff, patientId, ctx.now);
    requireFiles([evidenceFileId], patientErrors.CONSENT_PROOF);
    await attachFiles(ctx, ctx.staff.userId, seen.id, 'consent', [evidenceFileId!]);
    const kept = await keepConsent(
      ctx,
      seen,
      { ...act, act: 'GRANT', channel: STAFF_CHANNEL, evidenceFileId, userId: ctx.staff.userId },
      ctx.now,
    );
    ctx.target({ type: TARGET, id: seen.id, no: seen.patientNo });
    ctx.changed([{ path: act.consentType, label: consentTypes.label(act.consentType), before: null, after: `同意 ${kept.docVersion}` }]);
    return kept;
  }),
  command(withdrawConsent, async ({ patientId, evidenceFileId, ...act }, ctx) => {
    const seen = await lockPatient(ctx.tx, ctx.staff, patientId, ctx.now);
    if (act.by === 'STAFF') requireFiles([evidenceFileId], patientErrors.CONSENT_PROOF);
    if (evidenceFileId !== null) await attachFiles(ctx, ctx.staff.userId, seen.id, 'consent', [evidenceFileId]);
    const kept = await keepConsent(
      ctx,
      seen,
      { ...act, act: 'WITHDRAW', channel: STAFF_CHANNEL, evidenceFileId, userId: ctx.staff.userId },
      ctx.now,
    );
    ctx.target({ type: TARGET, id: seen.id, no: seen.patientNo });
    ctx.changed([{ path: act.consentType, label: consentTypes.label(act.consentType), before: '有效', after: '已撤回' }]);
    return kept;
  }),
  query(queryConsentTextList, async ({ consentType }, ctx) => {
    let rows = own(ctx.db).selectFrom('patientConsentText').selectAll();
    if (consentType) rows = rows.where('consentType', '=', consentType);
    const all = await rows.orderBy('consentType').orderBy('effectiveFrom', 'desc').orderBy('id', 'desc').limit(500).execute();
    const users = new Map(
      (
        await userBrief(
          ctx.db,
          all.flatMap(({ createdBy }) => createdBy ?? []),
        )
      ).map((user) => [user.userId, user.displayName]),
    );
    const current = new Map<string, string>();
    for (const row of all) if (row.effectiveFrom <= ctx.now && !current.has(row.consentType)) current.set(row.consentType, row.id);
    return all.map(({ lapsedDone: _done, ...row }) => ({
      ...row,
      inForce: current.get(row.consentType) === row.id,
      createdBy: row.createdBy && (users.get(row.createdBy) ?? null),
    }));
  }),
  command(addConsentText, async ({ fileId, ...fields }, ctx) => {
    await lockKeys(ctx.tx, [`text:${fields.consentType}`]);
    const there = await ownTx(ctx.tx)
      .selectFrom('patientConsentText')
      .select('id')
      .where('consentType', '=', fields.consentType)
      .where('docVersion', '=', fields.docVersion)
      .executeTakeFirst();
    if (there) throw refuseField('docVersion', '该版本已存在');
    const newer = await ownTx(ctx.tx)
      .selectFrom('patientConsentText')
      .select('docVersion')
      .where('consentType', '=', fields.consentType)
      .where('effectiveFrom', '>=', fields.effectiveFrom)
      .executeTakeFirst();
    if (newer) throw refuseField('effectiveFrom', `生效时间须晚于已有版本${newer.docVersion}`);
    const sha256 = fileId === null ? null : await fileHash(kernel, ctx.tx, fileId);
    const row = await ownTx(ctx.tx)
      .insertInto('patientConsentText')
      .values({ ...fields, fileId, sha256, ...authorColumns(ctx) })
      .returningAll()
      .executeTakeFirstOrThrow();
    if (fileId !== null)
      await attach(
        ctx.tx,
        { fileIds: [fileId], purpose: RECORD_PURPOSE, ownerType: TEXT_OWNER, ownerId: row.id, field: 'text', userId: ctx.staff.userId },
        ctx.now,
      );
    ctx.target({ type: 'patient.consentText', id: row.id, no: `${consentTypes.label(row.consentType)} ${row.docVersion}` });
    const { lapsedDone: _done, ...shown } = row;
    return { ...shown, consentType: fields.consentType, inForce: row.effectiveFrom <= ctx.now, createdBy: ctx.staff.displayName };
  }),
];

/** Agreements to older versions lapse when a text that everybody must sign again comes into force. */
export const lapseJob = job({
  name: 'patient.lapseConsents',
  label: '协议换版后授权失效',
  everySeconds: 60,
  async run(_data, ctx) {
    for (;;) {
      const more = await ctx.transaction(async (writing) => {
        const tx = ownTx(writing.tx);
        const text = await tx
          .selectFrom('patientConsentText')
          .selectAll()
          .where('resign', '=', true)
          .where('lapsedDone', '=', false)
          .where('effectiveFrom', '<=', ctx.now)
          .orderBy('id')
          .limit(1)
          .forUpdate()
          .skipLocked()
          .executeTakeFirst();
        if (!text) return false;
        const { rows } = await sql<{ patientId: string }>`
          update patient_consent_state s
            set state = 'LAPSED', at = ${text.effectiveFrom}::timestamptz
            from (
              select x.patient_id
                from patient_consent_state x
                join patient_consent_text t on t.consent_type = x.consent_type and t.doc_version = x.doc_version
                where x.consent_type = ${text.consentType} and x.state = 'VALID' and t.effective_from < ${text.effectiveFrom}::timestamptz
                order by x.patient_id limit ${CHUNK} for update of x
            ) old
            where s.patient_id = old.patient_id and s.consent_type = ${text.consentType}
            returning s.patient_id`.execute(writing.tx);
        for (const { patientId } of rows)
          await writing.publish(consentChanged, patientId, {
            patientId,
            consentType: text.consentType,
            state: 'LAPSED',
            at: text.effectiveFrom,
          });
        if (rows.length < CHUNK) await tx.updateTable('patientConsentText').set({ lapsedDone: true }).where('id', '=', text.id).execute();
        return true;
      });
      if (!more) return;
    }
  },
});
