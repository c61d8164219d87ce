import * as z from 'zod/mini';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { field } from '#kernel/contract/field.ts';
import {
  id,
  idOut,
  instantOut,
  intOrNull,
  numberOrNull,
  opinion,
  several,
  text,
  textOrNull,
  version,
  wholeText,
} from '#kernel/contract/fields.ts';
import { CHANGED, declareService } from '#kernel/contract/service.ts';
import { orderId, quantity } from '../orderFields.ts';
import { orderPermissions as may } from '../permissions.ts';
import { allocationTriggers, strategies, supplierFaults } from '../rules/allocation.ts';

export const allocationService = declareService('AllocationService');

const verdict = z.strictObject({
  supplierId: idOut,
  supplierName: field('供应商', z.string()),
  fault: field('未选原因', z.nullable(supplierFaults.schema)),
  score: field('得分', numberOrNull),
  isChosen: z.boolean(),
});
const givenPart = z.strictObject({
  supplierId: idOut,
  supplierName: field('供应商', z.string()),
  lines: z.array(z.strictObject({ goodsCode: z.string(), quantity: z.int() })),
});
const runRow = z.strictObject({
  id: idOut,
  orderId: idOut,
  orderNo: field('订单号', z.string(), { width: 170 }),
  attempt: field('次数', z.int()),
  trigger: field('触发', allocationTriggers.schema),
  ruleText: field('规则', z.string()),
  strategy: field('策略', strategies.schema),
  succeeded: field('成功', z.boolean()),
  resultText: field('结果', z.string(), { width: 220 }),
  faultText: field('未选原因', z.string(), { width: 260 }),
  operatorName: field('操作人', textOrNull),
  opinion: field('意见', textOrNull),
  createdAt: field('时间', instantOut),
  candidates: z.array(verdict),
});
export const queryAllocationRunList = allocationService.list({
  operation: 'queryAllocationRunList',
  label: '查询分配记录',
  access: may['order.view'],
  filter: {
    orderId: field('订单', z.optional(id)),
    orderNo: z.optional(wholeText('订单号', 40)),
    trigger: field('触发', z.optional(several(allocationTriggers.schema))),
  },
  output: runRow,
});

export const exportAllocationRunList = exportOf(queryAllocationRunList, {
  operation: 'exportAllocationRunList',
  label: '导出分配记录',
  access: may['order.view'],
});

const made = z.strictObject({
  orderId: idOut,
  state: z.string(),
  version: z.int(),
  runId: z.nullable(idOut),
  fulfilmentNos: z.array(z.string()),
});
export const allocateOrder = allocationService.act({
  operation: 'allocateOrder',
  label: '重新分配订单',
  access: may['allocation.assign'],
  ...CHANGED,
  message: '分配成功',
  input: { orderId, version },
  output: made,
});
export const assignSupplier = allocationService.act({
  operation: 'assignSupplier',
  label: '人工分配供应商',
  access: may['allocation.assign'],
  ...CHANGED,
  message: '分配成功',
  input: {
    orderId,
    version,
    parts: field(
      '供应商',
      z
        .array(
          z.strictObject({
            supplierId: field('供应商', id),
            lines: field(
              '商品',
              z
                .array(z.strictObject({ orderLineId: field('商品', id), quantity }))
                .check(z.minLength(1, '请填写分配数量'), z.maxLength(50)),
            ),
          }),
        )
        .check(z.minLength(1, '请选择供应商'), z.maxLength(10, '最多分配给10个供应商')),
    ),
    opinion,
  },
  output: made,
});

const candidate = z.strictObject({
  ...verdict.shape,
  distanceM: field('距离（米）', intOrNull),
  capacityLeft: field('今日剩余产能', intOrNull),
  acceptSlaMin: field('接单时限（分钟）', z.int()),
  shipSlaHour: field('发货时限（小时）', z.int()),
  offers: z.array(
    z.strictObject({ goodsCode: z.string(), available: field('可用库存', z.int()), supplyPriceFen: field('供货价', z.int()) }),
  ),
});
/** Who could bring what of an order is still to be given, and what the rules would choose; nothing is written. */
export const dryRunAllocation = allocationService.read({
  operation: 'dryRunAllocation',
  label: '试分配订单',
  access: may['allocation.assign'],
  input: { orderNo: text('订单号', 40, 1) },
  output: z.strictObject({
    orderId: idOut,
    version: z.int(),
    strategy: field('策略', strategies.schema),
    ruleText: field('规则', z.string()),
    needs: z.array(
      z.strictObject({
        orderLineId: idOut,
        goodsCode: field('商品编码', z.string()),
        goodsName: field('商品', z.string()),
        coldChain: z.boolean(),
        quantity: field('待分配数量', z.int()),
      }),
    ),
    parts: z.nullable(z.array(givenPart)),
    candidates: z.array(candidate),
  }),
});
