import { refuseField } from '#kernel/contract/errors.ts';
import { procedure } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { testSupplierEndpoint } from '../../contract/calls/supplier.ts';
import { supplierRecords } from '../access.ts';

const TOLD = {
  ANSWERS: '连接成功，供应商接口应答正常',
  REFUSED: '连接失败，供应商拒绝了接口账号或接口密钥',
  UNREACHABLE: '连接失败，供应商接口没有应答，请核对接口地址',
} as const;

/** 测试连接: the supplier's interface is asked outside of any transaction. */
export const testEndpoint = ({ oms, secrets }: Kernel) =>
  procedure(testSupplierEndpoint, async ({ id }, ctx) => {
    const row = await supplierRecords.get(ctx.db, ctx.staff, id);
    ctx.target({ type: supplierRecords.type, id, no: row.supplierCode });
    if (row.integration !== 'API') throw refuseField('integration', '只有接口直连的供应商可以测试连接');
    if (row.secretCipher === null) throw refuseField('secret', '请先填写接口密钥');
    if (!oms.available) return { connected: false, told: '履约平台接口尚未接通，请联系系统管理员' };
    const found = await oms.ping({
      supplierCode: row.supplierCode,
      url: row.endpoint,
      appKey: row.appKey,
      secret: secrets.decrypt(row.secretCipher),
    });
    return { connected: found === 'ANSWERS', told: TOLD[found] };
  });
