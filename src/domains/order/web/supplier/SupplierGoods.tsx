import { Button, Form } from 'antd';
import { useMemo, useState } from 'react';
import { confirmDelete } from '#kernel/web/feedback/dialogs.tsx';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { ImportButton } from '#kernel/web/files/ImportWizard.tsx';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { querySupplierDetail } from '../../contract/calls/supplier.ts';
import {
  addSupplierGoods,
  delSupplierGoods,
  exportSupplierGoodsList,
  modifySupplierGoods,
  querySupplierGoodsList,
  SUPPLIER_GOODS_IMPORTER,
  type SupplierGoodsRow,
} from '../../contract/calls/supplierGoods.ts';
import { orderPermissions as may } from '../../contract/permissions.ts';
import { GoodsSelect } from '../selects.tsx';

const goods = resource(querySupplierGoodsList, {
  routeKey: 'supplierSetup.goods',
  empty: '还没有商品，新增或导入后参与订单分配',
  filters: ['goods', 'onSale'],
  columns: [
    { key: 'goodsCode', required: true },
    'goodsName',
    'supplyPriceFen',
    'stockQty',
    'weightGram',
    'onSale',
    'stockSyncedAt',
    'updatedBy',
  ],
});
const refreshes = [querySupplierGoodsList, querySupplierDetail];

interface Facts {
  supplyPriceFen: number;
  stockQty: number;
  weightGram: number | null;
  onSale: boolean;
}
type NewFacts = Facts & { goodsCode: string };

function FactFields({ of }: { of: typeof addSupplierGoods | typeof modifySupplierGoods }) {
  return (
    <>
      <Field of={of} name="supplyPriceFen" label="供货价（元）" extra="新价只用于以后的履约单" />
      <Field of={of} name="stockQty" />
      <Field of={of} name="weightGram" />
      <Field of={of} name="onSale" />
    </>
  );
}

interface Props {
  supplierId: string;
  onChanged(): void;
}

/** Goods of a supplier with price and stock; several at once by a table. */
export function SupplierGoods({ supplierId, onChanged }: Props) {
  const [adding, setAdding] = useState(false);
  const [edited, setEdited] = useState<SupplierGoodsRow | null>(null);
  const remove = useCommand(delSupplierGoods, { success: '删除成功!', refreshes });
  const fixed = useMemo(() => ({ supplierId }), [supplierId]);
  return (
    <>
      <ResourceList
        of={goods}
        fixed={fixed}
        toolbar={(view) => (
          <>
            <Can permission={may['supplier.edit']}>
              <Button type="primary" onClick={() => setAdding(true)}>
                新增商品
              </Button>
            </Can>
            <ImportButton
              importerCode={SUPPLIER_GOODS_IMPORTER}
              params={{ supplierId }}
              permission={may['supplier.edit']}
              onChanged={() => {
                view.refetch();
                onChanged();
              }}
            />
            <ExportButton call={exportSupplierGoodsList} view={view} permission={may['supplier.view']} />
          </>
        )}
        actions={[
          { label: '编辑', permission: may['supplier.edit'], act: (row) => setEdited(row) },
          {
            label: '删除',
            permission: may['supplier.edit'],
            danger: true,
            act: async (row) => {
              if (!(await confirmDelete(`商品“${row.goodsName}”（${row.goodsCode}）`))) return;
              if (await remove.run({ id: row.id, version: row.version })) onChanged();
            },
          },
        ]}
      />
      {adding && (
        <FormDialog<typeof addSupplierGoods, NewFacts>
          open
          title="新增商品"
          call={addSupplierGoods}
          initial={{ weightGram: null, onSale: true }}
          toInput={(values) => ({ supplierId, ...values })}
          refreshes={refreshes}
          success="新增成功!"
          onDone={onChanged}
          onClose={() => setAdding(false)}
        >
          <Field of={addSupplierGoods} name="goodsCode">
            <GoodsSelect />
          </Field>
          <FactFields of={addSupplierGoods} />
        </FormDialog>
      )}
      {edited && (
        <FormDialog<typeof modifySupplierGoods, Facts>
          open
          title={`编辑商品 ${edited.goodsCode}`}
          call={modifySupplierGoods}
          recordKey={edited.id}
          initial={{
            supplyPriceFen: edited.supplyPriceFen,
            stockQty: edited.stockQty,
            weightGram: edited.weightGram,
            onSale: edited.onSale,
          }}
          toInput={(values) => ({ ...values, id: edited.id, version: edited.version })}
          refreshes={refreshes}
          success="修改成功!"
          onDone={onChanged}
          onClose={() => setEdited(null)}
        >
          <Form.Item label="商品">
            <span>{edited.goodsName}</span>
          </Form.Item>
          <FactFields of={modifySupplierGoods} />
        </FormDialog>
      )}
    </>
  );
}
