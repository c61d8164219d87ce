import { Button } from 'antd';
import { useState } from 'react';
import { Facts } from '#kernel/web/detail/DetailLayout.tsx';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { Can } from '#kernel/web/kit/Can.tsx';
import { RegionsPicker } from '#kernel/web/kit/pickers.tsx';
import { querySupplierDetail, querySupplierList, type SupplierDetail } from '../../contract/calls/supplier.ts';
import { modifySupplierRegions } from '../../contract/calls/supplierGoods.ts';
import { orderPermissions as may } from '../../contract/permissions.ts';

interface Values {
  included: string[] | null;
  excluded: string[] | null;
}
interface Props {
  detail: SupplierDetail;
  onChanged(): void;
}
const of = modifySupplierRegions;
const namesOf = (regions: SupplierDetail['included'], none: string) => regions.map(({ name }) => name).join('、') || none;
const codesOf = (regions: SupplierDetail['included']) => regions.map(({ adcode }) => adcode);

/** Where a supplier delivers, and what within that it does not. */
export function SupplierRegions({ detail, onChanged }: Props) {
  const [editing, setEditing] = useState(false);
  const { supplier, included, excluded } = detail;
  return (
    <>
      <Facts
        columns={1}
        facts={[
          { label: '覆盖地区', value: namesOf(included, '还没有覆盖地区，不参与订单分配'), wide: true },
          { label: '排除地区', value: namesOf(excluded, '无'), wide: true },
        ]}
      />
      <Can permission={may['supplier.edit']}>
        <Button onClick={() => setEditing(true)}>修改地区</Button>
      </Can>
      {editing && (
        <FormDrawer<typeof of, Values>
          open
          title={`覆盖地区 ${supplier.supplierCode}`}
          call={of}
          recordKey={supplier.id}
          initial={{ included: codesOf(included), excluded: codesOf(excluded) }}
          toInput={(values) => ({
            supplierId: supplier.id,
            version: supplier.version,
            included: values.included ?? [],
            excluded: values.excluded ?? [],
          })}
          refreshes={[querySupplierDetail, querySupplierList]}
          success="修改成功!"
          onDone={onChanged}
          onClose={() => setEditing(false)}
        >
          <Field of={of} name="included" extra="勾选省或市代表其下全部地区">
            <RegionsPicker placeholder="请选择覆盖地区" />
          </Field>
          <Field of={of} name="excluded" extra="覆盖地区之内不配送的市或区县">
            <RegionsPicker placeholder="不选为不排除" />
          </Field>
        </FormDrawer>
      )}
    </>
  );
}
