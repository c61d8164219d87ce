import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { ImportButton } from '#kernel/web/files/ImportWizard.tsx';
import { refresh } from '#kernel/web/http/queries.ts';
import { Money } from '#kernel/web/kit/values.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { queryStoreGoodsList, exportStoreGoodsList } from '../../contract/licenceCalls.ts';
import { institutionPermissions as may } from '../../contract/permissions.ts';

const goods = resource(queryStoreGoodsList, {
  routeKey: 'drugstoreManagement.goods',
  empty: '没有商品价格，点击“导入”写入',
  filters: ['goodsCode', 'goodsName', 'inStock'],
  columns: [
    { key: 'storeName', width: 220, to: (row) => ({ path: '/drugstoreManagement', search: { storeId: row.storeId } }) },
    { key: 'storeNo', width: 170 },
    { key: 'goodsCode', required: true },
    'goodsName',
    'spec',
    { key: 'priceFen', align: 'right', width: 110, render: (row) => <Money fen={row.priceFen} /> },
    'inStock',
    'effectiveFrom',
    'stockAt',
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
