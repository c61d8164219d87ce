import { ExportButton } from '../../../../kernel/web/files/ExportButton.tsx';
import { ImportButton } from '../../../../kernel/web/files/ImportWizard.tsx';
import { refresh } from '../../../../kernel/web/http/queries.ts';
import { Money } from '../../../../kernel/web/kit/values.tsx';
import { resource, ResourceList } from '../../../../kernel/web/list/ResourceList.tsx';
import { queryStoreGoodsList, exportStoreGoodsList } from '../../contract/licenceCalls.ts';
import { institutionPermissions as may } from '../../contract/permissions.ts';

const goods = resource(queryStoreGoodsList, {
  routeKey: 'drugstoreManagement.goods',
  empty: '没有商品价格，点击“导入”写入',
  filters: [
    { kind: 'text', name: 'goodsCode', label: '商品编码', maxLength: 40 },
    { kind: 'text', name: 'goodsName', label: '商品名称', maxLength: 50 },
    { kind: 'flag', name: 'inStock', label: '有货' },
  ],
  columns: [
    {
      key: 'storeName',
      title: '门店',
      width: 220,
      kind: 'link',
      to: (row) => ({ path: '/drugstoreManagement', search: { storeId: row.storeId } }),
    },
    { key: 'storeNo', title: '门店编号', width: 170 },
    { key: 'goodsCode', title: '商品编码', width: 140, required: true },
    { key: 'goodsName', title: '商品', width: 220 },
    { key: 'spec', title: '规格', width: 160 },
    { key: 'priceFen', title: '价格（元）', kind: 'custom', align: 'right', width: 110, render: (row) => <Money fen={row.priceFen} /> },
    { key: 'inStock', title: '有货', kind: 'flag' },
    { key: 'effectiveFrom', title: '生效日期', kind: 'day' },
    { key: 'stockAt', title: '库存时间', kind: 'time' },
  ],
});

/** Tab 商品价格. */
export const GoodsPrices = () => (
  <ResourceList
    of={goods}
    toolbar={(view) => (
      <>
        <ImportButton
          importerCode="institution.storeGoods"
          permission={may['store.import']}
          onChanged={() => void refresh(queryStoreGoodsList)}
        />
        <ExportButton call={exportStoreGoodsList} view={view} permission={may['store.export']} />
      </>
    )}
  />
);
