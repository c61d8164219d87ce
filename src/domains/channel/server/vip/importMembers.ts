import type { Importer } from '../../../../kernel/server/importing/importer.ts';
import { platformErrors, refuse } from '../../../../kernel/contract/errors.ts';
import { importVipMember, VIP_MEMBER_IMPORTER } from '../../contract/calls/vips.ts';
import { channelErrors } from '../../contract/errors.ts';
import { channelPermissions } from '../../contract/permissions.ts';
import { vips } from '../access.ts';
import { own } from '../database.ts';
import { joinVip } from './budget.ts';

/** Members of one VIP row by patient number; `params.vipId` names the row. */
// No `upsertImporter`: rows only add.
export const vipMemberImporter: Importer = {
  code: VIP_MEMBER_IMPORTER,
  label: 'VIP名单',
  call: importVipMember,
  admit: (ctx, { vipId }) => vips.lock(ctx.tx, ctx.staff, String(vipId)),
  templateVersion: '1',
  permission: channelPermissions['vip.edit'].code,
  columns: [{ key: 'patientId', label: '患者编号', type: 'int', required: true, example: '10001' }],
  scopeKey: (params) => String(params['vipId']),
  validateRow: (row) =>
    Number(row.record['patientId']) > 0
      ? []
      : [{ rowNo: row.rowNo, columnKey: 'patientId', severity: 'ERROR', message: '患者编号须为正整数' }],
  async validateAll(rows, { db, params }) {
    const vip = await own(db).selectFrom('channelVip').select('patientQuota').where('id', '=', String(params['vipId'])).executeTakeFirst();
    if (!vip) throw refuse(platformErrors.NOT_FOUND);
    const members = await own(db).selectFrom('channelVipMember').select('patientId').where('vipId', '=', String(params['vipId'])).execute();
    const known = new Set(members.map(({ patientId }) => patientId));
    let room = (vip.patientQuota ?? Number.MAX_SAFE_INTEGER) - known.size;
    return rows.flatMap((row) => {
      const id = String(row.record['patientId']);
      if (known.has(id)) return [];
      known.add(id);
      room -= 1;
      return room < 0
        ? [{ rowNo: row.rowNo, columnKey: 'patientId', severity: 'ERROR' as const, message: channelErrors.QUOTA_FULL.text }]
        : [];
    });
  },
  plan: async (rows) => rows.map((row) => ({ ...row, action: 'NEW' })),
  async commitChunk(rows, _batchNo, writing) {
    const written = new Map<number, string>();
    for (const row of rows) {
      const vipId = String(writing.params['vipId']);
      await joinVip(writing.tx, vipId, { patientId: String(row.record['patientId']), scanId: null }, writing.now);
      written.set(row.rowNo, String(row.record['patientId']));
    }
    return written;
  },
};
