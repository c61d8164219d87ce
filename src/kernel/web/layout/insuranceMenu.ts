import type { RouteDeclaration } from '../../contract/route.ts';
import { pagesAbove, routeKeyOf } from '../../contract/route.ts';
import type { KnownPages } from '../router/pages.ts';

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

/** Names of pages with this menu that are neither entry nor below one, and of the entry that they mark. */
const marks: Readonly<Record<string, string>> = {
  signContractList: 'signContract',
  contractRightsApplyCheckList: 'interestsContract',
  dataStatistics: 'productHome',
  invoiceZA: 'invoice',
  invoiceStoe: 'invoice',
  invoiceZAAuditor: 'invoiceAuditor',
  b2cOrder: 'orderManagement',
  bulkDelivery: 'orderManagement',
  logistics: 'orderManagement',
  downloadCenter: 'downloadList',
};

/** Groups with the entries that the role may open; groups without any are left out. */
export function permittedInsurance(keys: ReadonlySet<string>, known: KnownPages): InsuranceGroup[] {
  return insuranceMenu
    .map(({ entries, ...rest }) => ({
      ...rest,
      entries: entries.filter(({ path }) => keys.has(routeKeyOf(path)) && known(routeKeyOf(path))),
    }))
    .filter(({ entries }) => entries.length > 0);
}

/** Path of the entry that a page marks: its own, that of the table above, or that of the nearest page above it. */
export function markedEntry(route: Pick<RouteDeclaration, 'path' | 'parent'>, all: readonly RouteDeclaration[]): string | undefined {
  const entries = insuranceMenu.flatMap((shown) => shown.entries.map(({ path }) => path));
  const names = [
    route.path,
    ...pagesAbove(route, all)
      .map(({ path }) => path)
      .toReversed(),
  ].map(routeKeyOf);
  return names.map((name) => `/${marks[name] ?? name}`).find((path) => entries.includes(path));
}
