import { Form, Select } from 'antd';
import { orderTypes } from '../../contract/typeDictionaries.ts';
import { MedicinesSelect, PlacesSelect } from './SeveralSelect.tsx';

/** 适用范围: what is left empty limits nothing. */
export function ScopeFields() {
  return (
    <>
      <p className="kq-muted">不填表示不限。药品和药品分类满足其一即可使用；排除的药品始终不能使用。</p>
      <Form.Item label="订单类型" name={['scope', 'orderTypes']}>
        <Select
          mode="multiple"
          allowClear
          placeholder="不限"
          options={orderTypes.options.map(({ value, label }) => ({ value, label }))}
          optionFilterProp="label"
        />
      </Form.Item>
      <Form.Item label="药店" name={['scope', 'drugstoreIds']}>
        <PlacesSelect type="DRUGSTORE" placeholder="不限，输入药店名称或编号查找" />
      </Form.Item>
      <Form.Item label="药品" name={['scope', 'medicineIds']}>
        <MedicinesSelect placeholder="不限，输入药品名称查找" />
      </Form.Item>
      <Form.Item label="药品分类" name={['scope', 'categoryCodes']}>
        <PlacesSelect type="CATEGORY" placeholder="不限，输入分类名称或编码查找" />
      </Form.Item>
      <Form.Item label="排除药品" name={['scope', 'excludeMedicineIds']}>
        <MedicinesSelect placeholder="没有，输入药品名称查找" />
      </Form.Item>
    </>
  );
}
