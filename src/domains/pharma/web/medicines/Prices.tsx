import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { ask } from '#kernel/web/feedback/dialogs.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { goTo } from '#kernel/web/router/navigate.ts';
import { exportSkuPriceList, querySkuPriceList, revokeSkuPrice } from '../../contract/calls/skus.ts';
import { pharmaPermissions as may } from '../../contract/permissions.ts';
import { provinceName } from '../../contract/provinces.ts';

const periods = { NOW: '生效中', FUTURE: '未生效', PAST: '已失效' } as const;

const prices = resource(querySkuPriceList, {
  routeKey: 'medicineManagementTable:priceList',
  empty: '没有符合条件的价格',
  filters: [
    'goodsCode',
    'priceType',
    { kind: 'select', name: 'period', options: Object.entries(periods).map(([value, label]) => ({ value, label })) },
  ],
  columns: [
    { key: 'goodsCode', width: 120, required: true },
    { key: 'genericName', width: 200 },
    'packSpec',
    { key: 'priceType', plain: true, width: 110 },
    { key: 'provinceAdcode', width: 110, value: (row) => (row.provinceAdcode === null ? '全国' : provinceName(row.provinceAdcode)) },
    'priceFen',
    'effectiveFrom',
    'effectiveTo',
    { key: 'period', width: 90, value: (row) => periods[row.period] },
    { key: 'reason', width: 200 },
    { key: 'createdName', width: 100 },
    'createdAt',
  ],
});

/** 价格记录: of all goods; supply prices only for who may see them. */
export function Prices() {
  const revoke = useCommand(revokeSkuPrice, { success: '撤销成功!', refreshes: [querySkuPriceList] });
  return (
    <ResourceList
      of={prices}
      actions={[
        { label: '药品', act: (row) => goTo('/medicineManagementTable', { medicineId: row.medicineId, view: 'goods' }) },
        {
          label: '撤销',
          permission: may['price.edit'],
          danger: true,
          when: (row) => row.period === 'FUTURE',
          act: async (row) => {
            if (
              await ask({
                content: `确定要撤销${row.effectiveFrom}起的价格吗?`,
                facts: factsIn(querySkuPriceList.output, row, ['goodsCode', 'genericName', 'packSpec', 'priceType', 'priceFen']),
                danger: true,
              })
            )
              await revoke.run({ id: row.id });
          },
        },
      ]}
      toolbar={(view) => <ExportButton call={exportSkuPriceList} view={view} permission={may['price.export']} />}
    />
  );
}
