import { sql } from 'kysely';
import type { Instant } from '#kernel/contract/time.ts';
import { routeKeyOf, type RouteDeclaration } from '#kernel/contract/route.ts';
import type { Tx } from '#kernel/server/context.ts';
import { json, own } from '../database.ts';

/** Level 1 and level 2 in the order of docs/design/menus.md. */
const levelOne = ['语料运营', '内容运营', '医生运营', '机构与药品', '渠道与二维码', '收入与结算', '保险业务', '系统管理'];
const levelTwo = ['入组管理', '理赔管理', '产品与保单', '订单与开票', '卡管理', '外部履约平台', '财务对账', '系统配置', '临时页面'];
/** Pages in the order of docs/design/menus.md, those of domains that come later too; others follow. */
const pageOrder =
  `corpus welcomeMessage taskManagement bannerConfig markContent advertiseManage doctorManagement helpDoctorManage doctorManagementService
  doctorCard assistantIM doctorService serviceConfig payConsultation doctorPatientChannelManagement patientRealNameSwitch visitRecords
  hospitalManagementAudit hospitalManagementMaintenance hospitalList drugstoreManagement agentList pharmaceuticalEnterprises
  pharmaceuticalEnterprisesProductLine drugCategory medicineManagementTable channelVip channelManagement sceneCode commonQRcode
  weChatWorkManagement doctorSettlement accountInquiry incomeDetail doctorIncome IncentiveItroduction settlementRules incomeSettle
  perfRelatedChange performanceBindRelationTable importBind signContract otherMaterialVerifyList specialUser signContractList
  interestsContract interestsContractList abnormalPolicyData tPriorPurchaseVoucher inventoryListManagement insurancePremiumOrderInquiry
  queryTable contractRightsApplyCheckList productHome policyManage controlModule dataStatistics downloadList orderManagement invoice
  invoiceAuditor invoiceZA invoiceStoe invoiceZAAuditor cardBatchManagement storedCardBatchManage cardGrantCancel valueCardGrant
  cardCancel tHmoCardSettlement cardManagement manualorders omsOrderInterception orderAllocation supplierSetup shieldAddCartGoodsConfig
  tDrugClaimList tSapReconciliation tDirectOrderBill tHospital tDrugstore tDirectStore tInsurerSettlementConfig tSapConfig
  tInsuranceAccounting b2cOrder bulkDelivery logistics downloadCenter userManagement roleManagement menuManagement operationLog amisPageV1
  systemStatus`.split(/\s+/);
const icons: Readonly<Record<string, string>> = {
  语料运营: 'ReadOutlined',
  内容运营: 'PictureOutlined',
  医生运营: 'MedicineBoxOutlined',
  机构与药品: 'BankOutlined',
  渠道与二维码: 'QrcodeOutlined',
  收入与结算: 'AccountBookOutlined',
  保险业务: 'SafetyCertificateOutlined',
  系统管理: 'SettingOutlined',
};

/** The page that stands under another title in the menus lies in the group named second in its trail. */
const groupOf = (route: RouteDeclaration): string | null => (route.trail.length > 1 ? (route.trail[1] ?? null) : null);

interface SeedRow {
  seed_key: string;
  parent_key: string | null;
  level: number;
  title: string;
  route_key: string | null;
  path: string | null;
  kind: 'DIR' | 'PAGE';
  icon: string | null;
  sort: number;
  left_menu: string;
}

function menuSeed(routes: readonly RouteDeclaration[]): SeedRow[] {
  const rows = new Map<string, SeedRow>();
  const directory = (key: string, parent: string | null, level: number, title: string, sort: number) => {
    if (!rows.has(key)) {
      rows.set(key, {
        seed_key: key,
        parent_key: parent,
        level,
        title,
        route_key: null,
        path: null,
        kind: 'DIR',
        icon: icons[title] ?? null,
        sort,
        left_menu: 'none',
      });
    }
  };
  routes.forEach((route) => {
    if (route.menu === undefined) return;
    const top = `1:${route.menu}`;
    directory(top, null, 1, route.menu, (levelOne.indexOf(route.menu) + 1 || 99) * 10);
    const group = groupOf(route);
    const middle = group === null ? top : `2:${route.menu}/${group}`;
    if (group !== null) directory(middle, top, 2, group, (levelTwo.indexOf(group) + 1 || 99) * 10);
    rows.set(`page:${route.path}`, {
      seed_key: `page:${route.path}`,
      parent_key: middle,
      level: group === null ? 2 : 3,
      title: route.title,
      route_key: routeKeyOf(route.path),
      path: route.path,
      kind: 'PAGE',
      icon: null,
      sort: 100 + (pageOrder.indexOf(routeKeyOf(route.path)) + 1 || 500) * 10,
      left_menu: route.left,
    });
  });
  return [...rows.values()];
}

/** Adds the builtin entries that are missing; existing ones stay as staff arranged them. @returns route key to id of new pages. */
export async function seedMenus(tx: Tx, routes: readonly RouteDeclaration[], now: Instant): Promise<ReadonlyMap<string, string>> {
  const rows = menuSeed(routes);
  const added = new Map<string, string>();
  for (const level of [1, 2, 3]) {
    const { rows: inserted } = await sql<{ id: string; routeKey: string | null }>`
      insert into identity_menu (
        parent_id, level, title_name, route_key, path, kind, icon, sort, left_menu, builtin, seed_key, created_at, updated_at
      )
      select p.id, s.level, s.title, s.route_key, s.path, s.kind, s.icon, s.sort, s.left_menu, true, s.seed_key, ${now}, ${now}
      from jsonb_to_recordset(${json(rows.filter((row) => row.level === level))}::jsonb)
        as s(
          seed_key text, parent_key text, level int, title text, route_key text, path text, kind text, icon text, sort int, left_menu text
        )
      left join identity_menu p on p.seed_key = s.parent_key
      where (s.parent_key is null) = (p.id is null)
        and not exists (select from identity_menu m where m.route_key = s.route_key)
      order by s.sort
      on conflict (seed_key) do nothing
      returning id, route_key`.execute(tx);
    for (const { id, routeKey } of inserted) if (routeKey !== null) added.set(routeKey, id);
  }
  await removeRetired(tx, new Set(rows.map((row) => row.seed_key)));
  return added;
}

/** A builtin page whose route is gone from the program leaves the menu with it. */
async function removeRetired(tx: Tx, seeds: ReadonlySet<string>): Promise<void> {
  const pages = await own(tx)
    .selectFrom('identityMenu')
    .select(['id', 'seedKey'])
    .where('builtin', '=', true)
    .where('kind', '=', 'PAGE')
    .execute();
  const gone = pages.filter(({ seedKey }) => seedKey !== null && !seeds.has(seedKey)).map(({ id }) => id);
  if (gone.length > 0) await own(tx).deleteFrom('identityMenu').where('id', 'in', gone).execute();
}
