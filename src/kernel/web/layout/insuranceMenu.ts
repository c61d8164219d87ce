import type { RouteDeclaration } from '../../contract/route.ts';
import { routeKeyOf } from '../../contract/route.ts';

interface InsuranceEntry {
  title: string;
  path: string;
}
export interface InsuranceGroup {
  /** Absent: the entries stand alone. */
  title?: string;
  entries: readonly InsuranceEntry[];
}

const group = (title: string | undefined, ...entries: readonly (readonly [title: string, path: string])[]): InsuranceGroup => ({
  ...(title !== undefined && { title }),
  entries: entries.map(([entryTitle, path]) => ({ title: entryTitle, path })),
});

/** The left insurance menu: the specification's groups and order (docs/design/menus.md). */
export const insuranceMenu: readonly InsuranceGroup[] = [
  group('入组管理', ['入组审核', '/signContract'], ['其他材料审核', '/otherMaterialVerifyList'], ['HMO特殊用户标记', '/specialUser']),
  group(
    '理赔管理',
    ['理赔审核', '/interestsContract'],
    ['理赔订单查询', '/interestsContractList'],
    ['异常保单数据', '/abnormalPolicyData'],
    ['既往购药凭证管理', '/tPriorPurchaseVoucher'],
    ['被保人清单管理', '/inventoryListManagement'],
    ['保费订单查询', '/insurancePremiumOrderInquiry'],
    ['保费信息导出', '/queryTable'],
  ),
  group(
    undefined,
    ['产品后台', '/productHome'],
    ['保单查询', '/policyManage'],
    ['控费管理', '/controlModule'],
    ['下载中心', '/downloadList'],
    ['订单管理', '/orderManagement'],
    ['开票付款', '/invoice'],
    ['开票审核', '/invoiceAuditor'],
  ),
  group(
    '卡管理',
    ['发卡批次', '/cardBatchManagement'],
    ['储值结算批次', '/storedCardBatchManage'],
    ['订单卡核销', '/cardGrantCancel'],
    ['储值发放记录', '/valueCardGrant'],
    ['卡核销记录', '/cardCancel'],
    ['储值结算', '/tHmoCardSettlement'],
    ['卡列表', '/cardManagement'],
    ['手工订单处理', '/manualorders'],
  ),
  group(
    '外部履约平台',
    ['OMS订单拦截', '/omsOrderInterception'],
    ['订单分配规则', '/orderAllocation'],
    ['供应商设置', '/supplierSetup'],
    ['隐藏加购设置', '/shieldAddCartGoodsConfig'],
  ),
  group(undefined, ['药品理赔清单管理', '/tDrugClaimList'], ['SAP订单对账', '/tSapReconciliation'], ['外部连锁账单', '/tDirectOrderBill']),
  group(
    '系统配置',
    ['医院数据', '/tHospital'],
    ['药店数据', '/tDrugstore'],
    ['直付门店', '/tDirectStore'],
    ['保司结算配置', '/tInsurerSettlementConfig'],
    ['SAP配置', '/tSapConfig'],
    ['保险核算', '/tInsuranceAccounting'],
  ),
];

/** Pages with this menu that are no entry of it, by title, and the entry that they mark. */
const marks: Readonly<Record<string, string>> = {
  签约合同: '入组审核',
  权益申请审核: '理赔审核',
  权益申请打款: '理赔审核',
  支付详情: '理赔订单查询',
  保费订单审核: '保费订单查询',
  附加产品: '产品后台',
  关联产品: '产品后台',
  理赔规则: '产品后台',
  数据统计: '产品后台',
  控费规则: '控费管理',
  众安开票付款: '开票付款',
  门店开票: '开票付款',
  众安开票审核: '开票审核',
  卡信息: '卡列表',
  卡信息详情: '卡列表',
  B2C订单: '订单管理',
  批量发货: '订单管理',
  物流查询: '订单管理',
  '下载中心（低代码）': '下载中心',
};

/** Groups with the entries that the role may open; groups without any are left out. */
export function permittedInsurance(keys: ReadonlySet<string>, known: ReadonlySet<string>): InsuranceGroup[] {
  return insuranceMenu
    .map(({ entries, ...rest }) => ({
      ...rest,
      entries: entries.filter(({ path }) => keys.has(routeKeyOf(path)) && known.has(routeKeyOf(path))),
    }))
    .filter(({ entries }) => entries.length > 0);
}

/** Path of the entry that a page marks: its own, that of the table above, or that of the list last in its trail. */
export function markedEntry(route: Pick<RouteDeclaration, 'path' | 'title' | 'trail'>): string | undefined {
  const all = insuranceMenu.flatMap(({ entries }) => entries);
  const own = all.find((entry) => entry.path === route.path);
  if (own) return own.path;
  for (const title of [route.title, ...route.trail.toReversed()]) {
    const entry = all.find((other) => other.title === (marks[title] ?? title));
    if (entry) return entry.path;
  }
  return undefined;
}
