import { dayOf } from '#kernel/contract/time.ts';
import { importColumns } from '#kernel/server/importing/importColumns.ts';
import type { Importer, ParsedRow } from '#kernel/server/importing/importer.ts';
import { fault, repeated, textOf } from '#kernel/server/importing/rows.ts';
import { sql } from 'kysely';
import {
  addAttributionChange,
  ATTRIBUTION_IMPORTER,
  importAttributionChange,
  queryDoctorChannelList,
} from '../../contract/calls/attribution.ts';
import { doctorErrors } from '../../contract/errors.ts';
import { doctorPermissions } from '../../contract/permissions.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import { channelsByNo } from '#domains/channel/server/index.ts';
import { personsByNo } from '#domains/patient/server/index.ts';
import type { Viewer } from '#kernel/server/auth/viewer.ts';
import { seesAttribution } from './access.ts';
import { applyChange } from './changes.ts';

const MOST_ROWS = 5_000;

interface Subject {
  key: string;
  id: string;
  channelId: string | null;
  pending: boolean;
}

/** Doctors and patients by the numbers that people call them; with the channel that holds now. */
async function subjectsOf(db: Db | Tx, viewer: Viewer, rows: readonly ParsedRow[]): Promise<ReadonlyMap<string, Subject>> {
  const numbers = [...new Set(rows.map((row) => textOf(row, 'subjectNo')))];
  const patients = new Map((await personsByNo(db, numbers)).map(({ patientId, patientNo }) => [patientId, patientNo]));
  const { rows: found } = await sql<Omit<Subject, 'key'> & { subjectType: string; doctorNo: string | null }>`
    select t.subject_type, d.doctor_no, t.subject_id as id, t.channel_id,
      exists (
        select 1
          from doctor_attribution_change g
          where g.subject_type = t.subject_type
            and g.subject_id = t.subject_id
            and (g.state = 'PENDING' or (g.state = 'APPROVED' and g.performed_at is null))
      ) as pending
    from doctor_attribution t left join doctor_doctor d on t.subject_type = 'DOCTOR' and d.id = t.subject_id
    where t.ended_at is null
      and (d.doctor_no = any(${numbers}::text[]) or (t.subject_type = 'PATIENT' and t.subject_id = any(${[...patients.keys()]}::bigint[])))
      and ${seesAttribution(viewer)}`.execute(db);
  return new Map(
    found.map(({ subjectType, doctorNo, ...subject }) => {
      const key = `${subjectType}/${doctorNo ?? patients.get(subject.id) ?? ''}`;
      return [key, { ...subject, key }];
    }),
  );
}
const keyOf = (row: ParsedRow) => `${textOf(row, 'subjectType')}/${textOf(row, 'subjectNo')}`;

/** Applications for other channels from a table; each waits for a second person. */
// No `upsertImporter`: a row changes nothing itself, it applies for a change that a second person passes.
export const attributionImporter: Importer = {
  code: ATTRIBUTION_IMPORTER,
  label: '渠道归属变更',
  call: importAttributionChange,
  templateVersion: '1',
  permission: doctorPermissions['attribution.edit'].code,
  maxRows: MOST_ROWS,
  columns: importColumns({ ...addAttributionChange.input.shape, subjectType: queryDoctorChannelList.output.shape.subjectType }, [
    { key: 'subjectType', example: '医生' },
    {
      key: 'subjectNo',
      label: '对象编号',
      type: 'text',
      required: true,
      maxLength: 20,
      example: 'YS20261121000001',
      note: '医生填医生编号（YS…），患者填患者编号（PT…）',
    },
    { key: 'toChannelNo', label: '新渠道编号', type: 'text', maxLength: 20, example: 'QD20261121000001', note: '不填为自然流量' },
    { key: 'effectiveOn', example: '2026-12-01' },
    { key: 'reason', example: '代表交接，按协议调整归属' },
  ]),
  async validateAll(rows, { db, staff, now }) {
    const subjects = await subjectsOf(db, staff, rows);
    const channels = await channelsByNo(db, rows.map((row) => textOf(row, 'toChannelNo')).filter(Boolean));
    const today = dayOf(now);
    const faults = repeated(rows, 'subjectNo', '对象', keyOf);
    for (const row of rows) {
      const subject = subjects.get(keyOf(row));
      const channelNo = textOf(row, 'toChannelNo');
      const channel = channels.get(channelNo);
      if (!subject) faults.push(fault(row, 'subjectNo', '归属对象不存在'));
      else if (subject.pending) faults.push(fault(row, 'subjectNo', doctorErrors.CHANGE_OPEN.text));
      if (channelNo && !channel) faults.push(fault(row, 'toChannelNo', '渠道不存在'));
      else if (channel && channel.state !== 'ENABLED') faults.push(fault(row, 'toChannelNo', doctorErrors.CHANNEL_DISABLED.text));
      else if (subject && (channel?.id ?? null) === subject.channelId) faults.push(fault(row, 'toChannelNo', '新归属与当前归属相同'));
      if (textOf(row, 'effectiveOn') < today) faults.push(fault(row, 'effectiveOn', doctorErrors.EFFECTIVE_PAST.text));
    }
    return faults;
  },
  plan: async (rows) => rows.map((row) => ({ ...row, action: 'NEW' })),
  async commitChunk(rows, batchNo, writing) {
    const subjects = await subjectsOf(writing.tx, writing.staff, rows);
    const channels = await channelsByNo(writing.tx, rows.map((row) => textOf(row, 'toChannelNo')).filter(Boolean));
    // The importer acts for whoever uploaded: he is the maker.
    const acting = { ...asSystem(writing, { now: writing.now, traceId: batchNo }), staffOrNull: writing.staff };
    const written = new Map<number, string>();
    for (const row of rows) {
      const { id } = await applyChange(
        acting,
        writing.staff,
        {
          subjectType: textOf(row, 'subjectType') as 'DOCTOR',
          subjectId: subjects.get(keyOf(row))!.id,
          toChannelId: channels.get(textOf(row, 'toChannelNo'))?.id ?? null,
          toAgentId: null,
          effectiveOn: textOf(row, 'effectiveOn'),
          reason: textOf(row, 'reason'),
          evidenceFileIds: [],
        },
        { kind: 'IMPORT', batchNo },
      );
      written.set(row.rowNo, id);
    }
    return written;
  },
};
