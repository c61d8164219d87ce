import { Button } from 'antd';
import { lazy, Suspense } from 'react';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { ask, confirmDelete, confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { param } from '#kernel/web/router/address.ts';
import { goTo } from '#kernel/web/router/navigate.ts';
import { useAddress } from '#kernel/web/tabs/page.tsx';
import { claimRulePermissions, productPermissions as may } from '../../contract/permissions.ts';
import {
  changeProductStatus,
  delProduct,
  exportProductList,
  queryProductCounts,
  queryProductList,
  type ProductRow,
} from '../../contract/products/listCalls.ts';
import { productStates } from '../../contract/products/states.ts';
import { productList } from './productList.tsx';
import './products.css';

const NewProduct = lazy(async () => ({ default: (await import('./ProductForm.tsx')).NewProduct }));
const EditProduct = lazy(async () => ({ default: (await import('./ProductForm.tsx')).EditProduct }));
const CopyProduct = lazy(async () => ({ default: (await import('./ProductForm.tsx')).CopyProduct }));
const NewVersion = lazy(async () => ({ default: (await import('../versions/NewVersion.tsx')).NewVersion }));
const ProductDrawer = lazy(async () => ({ default: (await import('./ProductDrawer.tsx')).ProductDrawer }));
const VersionDesk = lazy(async () => ({ default: (await import('../versions/VersionDesk.tsx')).VersionDesk }));

const address = {
  productId: param.optional(),
  versionId: param.optional(),
  mode: param.oneOf(['view', 'edit']),
  status: param.several(),
};

/** How many products stand in each state; a click asks the list for them alone. */
function StatusChips() {
  const { data } = useData(queryProductCounts, {}, { quiet: true, fresh: 10_000 });
  const [{ status }, setAddress] = useAddress(address);
  if (!data) return null;
  const all = data.reduce((sum, { count }) => sum + count, 0);
  const chip = (label: string, count: number, codes: readonly string[]) => {
    const on = status.length === codes.length && codes.every((code) => status.includes(code));
    return (
      <button
        key={label}
        type="button"
        className={on ? 'ins-chip ins-chip-on' : 'ins-chip'}
        aria-pressed={on}
        onClick={() => setAddress({ status: codes })}
      >
        {label} <b>{count}</b>
      </button>
    );
  };
  return (
    <div className="ins-chips" role="group" aria-label="按状态筛选">
      {chip('全部', all, [])}
      {data.map(({ status: code, count }) => chip(productStates.dictionary.label(code), count, [code]))}
    </div>
  );
}

/** Tab 产品. */
export function Products() {
  const layers = useLayers();
  const [{ productId, versionId, mode }, setAddress] = useAddress(address);
  const refreshes = [queryProductList, queryProductCounts];
  const change = useCommand(changeProductStatus, { success: '操作成功!', refreshes });
  const remove = useCommand(delProduct, { success: '删除成功!', refreshes });
  const changeStatus = (action: 'onSale' | 'suspend' | 'resume' | 'retire') => async (row: ProductRow) => {
    const { label, opinion } = productStates.transitions[action];
    const question = {
      title: label,
      content: `确定要${label}“${row.productName}”吗?`,
      facts: factsIn(queryProductList.output, row, ['productCode', 'payerName', 'policyCount', 'linkCount', 'ownerName']),
      danger: action === 'suspend' || action === 'retire',
    };
    const given = opinion === 'required' ? await confirmWithOpinion({ ...question, opinion }) : (await ask(question)) ? '' : null;
    if (given !== null) await change.run({ id: row.id, version: row.version, action, opinion: given });
  };
  const edit = (row: ProductRow) => {
    // A draft is opened; where there is none, one is begun.
    if (row.next && !row.next.text.includes('待生效')) setAddress({ productId: row.id, versionId: row.next.id, mode: 'edit' });
    else
      layers.open((close) => (
        <NewVersion
          productId={row.id}
          copyFrom={row.next?.id ?? row.current?.id}
          onClose={close}
          onMade={(id) => setAddress({ productId: row.id, versionId: id, mode: 'edit' })}
        />
      ));
  };
  const moves = (['onSale', 'suspend', 'resume', 'retire'] as const).map((action): RowAction<ProductRow> => ({
    label: productStates.transitions[action].label,
    danger: action === 'suspend' || action === 'retire',
    when: ({ allowedActions }) => allowedActions.includes(action),
    act: changeStatus(action),
  }));
  const actions: readonly RowAction<ProductRow>[] = [
    { label: '查看', act: ({ id }) => setAddress({ productId: id }) },
    { label: '编辑版本', permission: may['product.edit'], when: ({ status }) => status !== 'RETIRED', act: edit },
    {
      label: '理赔规则',
      permission: claimRulePermissions['claimRule.view'],
      when: ({ current, next }) => current !== null || next !== null,
      act: ({ productCode }) => goTo('/lookClaimRules', { productCode }),
    },
    ...moves,
    { label: '附加产品', act: ({ id }) => goTo('/appedProduct', { productId: id }) },
    { label: '关联产品', act: ({ id }) => goTo('/associatedProduct', { productId: id }) },
    {
      label: '编辑产品',
      permission: may['product.edit'],
      when: ({ allowedActions }) => allowedActions.includes('modify'),
      act: ({ id }) => layers.open((close) => <EditProduct productId={id} onClose={close} />),
    },
    {
      label: '复制为新产品',
      permission: may['product.edit'],
      act: (row) => layers.open((close) => <CopyProduct row={row} onClose={close} />),
    },
    {
      label: '删除',
      permission: may['product.edit'],
      danger: true,
      when: ({ status, current, next }) => status === 'DRAFT' && current === null && next === null,
      act: async ({ id, version, productName, productCode }) => {
        if (await confirmDelete(`产品“${productName}”（${productCode}）`)) await remove.run({ id, version });
      },
    },
  ];
  return (
    <>
      <ResourceList
        of={productList}
        actions={actions}
        above={<StatusChips />}
        toolbar={(view) => (
          <>
            <Can permission={may['product.edit']}>
              <Button type="primary" onClick={() => layers.open((close) => <NewProduct onClose={close} />)}>
                新增产品
              </Button>
            </Can>
            <ExportButton call={exportProductList} view={view} permission={may['product.view']} />
          </>
        )}
      />
      {layers.shown}
      <Suspense fallback={null}>
        {productId && !versionId && (
          <ProductDrawer
            productId={productId}
            onVersion={(id, how) => setAddress({ versionId: id, mode: how })}
            onClose={() => setAddress({ productId: undefined })}
          />
        )}
        {versionId && (
          <VersionDesk
            key={`${versionId}:${mode}`}
            versionId={versionId}
            mode={mode}
            onMode={(how) => setAddress({ mode: how })}
            onClose={() => setAddress({ versionId: undefined, mode: 'view' })}
          />
        )}
      </Suspense>
    </>
  );
}
