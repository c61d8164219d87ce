import { Button } from 'antd';
import { lazy, useMemo } from 'react';
import { confirmDelete } from '#kernel/web/feedback/dialogs.tsx';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { param } from '#kernel/web/router/address.ts';
import { goTo } from '#kernel/web/router/navigate.ts';
import { useAddress } from '#kernel/web/tabs/page.tsx';
import {
  exportAssociatedProduct,
  queryAssociatedProductList,
  queryProductGraph,
  removeAssociatedProduct,
  type AssociatedRow,
} from '../../contract/links/calls.ts';
import { productPermissions as may } from '../../contract/permissions.ts';
import { queryProductList } from '../../contract/products/listCalls.ts';
import { optionFilter } from '../shared/OptionSelect.tsx';

const NewLink = lazy(async () => ({ default: (await import('./LinkForm.tsx')).NewLink }));
const EditLink = lazy(async () => ({ default: (await import('./LinkForm.tsx')).EditLink }));
const Graph = lazy(async () => ({ default: (await import('./Graph.tsx')).Graph }));

const address = { productId: param.optional() };

const links = resource(queryAssociatedProductList, {
  routeKey: 'associatedProduct',
  empty: '没有符合条件的关联关系，请调整筛选条件或点击“新增关联”',
  filters: [optionFilter('productId', 'PRODUCT'), 'linkType', 'status'],
  columns: [
    { key: 'mainProductName', required: true },
    { key: 'linkType', plain: true },
    { key: 'otherProductName', required: true },
    'summary',
    'effectiveFrom',
    { key: 'effectiveTo', value: (row) => row.effectiveTo ?? '长期', width: 110 },
    'status',
    'updatedByName',
    'updatedAt',
  ],
});

/** /associatedProduct 关联产品. */
export default function AssociatedProduct() {
  const layers = useLayers();
  const [{ productId }] = useAddress(address);
  const remove = useCommand(removeAssociatedProduct, {
    success: '删除成功!',
    refreshes: [queryAssociatedProductList, queryProductGraph, queryProductList],
  });
  const actions = useMemo(
    (): readonly RowAction<AssociatedRow>[] => [
      { label: '关系图', act: (row) => layers.open((close) => <Graph productId={row.mainProductId} onClose={close} />) },
      {
        label: '编辑',
        permission: may['product.edit'],
        when: ({ status, linkType }) => status === 'ENABLED' && linkType !== 'APPENDED',
        act: (row) => layers.open((close) => <EditLink row={row} onClose={close} />),
      },
      {
        label: '附加产品',
        when: ({ status, linkType }) => status === 'ENABLED' && linkType === 'APPENDED',
        act: (row) => goTo('/appedProduct', { productId: row.mainProductId, linkId: row.id }),
      },
      {
        label: '解除',
        permission: may['product.edit'],
        danger: true,
        when: ({ status, linkType }) => status === 'ENABLED' && linkType !== 'APPENDED',
        act: async (row) => {
          if (await confirmDelete(`“${row.mainProductName}”与“${row.otherProductName}”的关联`))
            await remove.run({ linkId: row.id, version: row.version });
        },
      },
    ],
    [layers, remove],
  );
  return (
    <>
      <ResourceList
        of={links}
        actions={actions}
        toolbar={(view) => (
          <>
            <Can permission={may['product.edit']}>
              <Button type="primary" onClick={() => layers.open((close) => <NewLink productId={productId} onClose={close} />)}>
                新增关联
              </Button>
            </Can>
            {productId && <Button onClick={() => layers.open((close) => <Graph productId={productId} onClose={close} />)}>关系图</Button>}
            <ExportButton call={exportAssociatedProduct} view={view} permission={may['product.view']} />
          </>
        )}
      />
      {layers.shown}
    </>
  );
}
