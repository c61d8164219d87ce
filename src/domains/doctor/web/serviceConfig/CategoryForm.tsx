import { Input, Radio } from 'antd';
import { Field } from '#kernel/web/form/Field.tsx';
import { displayBy } from '#kernel/web/form/conflictRows.ts';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { SERVER_MESSAGE } from '#kernel/web/http/queries.ts';
import {
  addInquiryServiceCategory,
  modifyInquiryServiceCategory,
  queryInquiryServiceCategoryList,
  type CategoryNode,
} from '../../contract/calls/categories.ts';
import { categoryIcons, enabledStates, visibleTo } from '../../contract/dictionaries.ts';

interface Values {
  name: string;
  icon: CategoryNode['icon'];
  visibleTo: CategoryNode['visibleTo'];
  state: CategoryNode['state'];
}

const optionsOf = (dictionary: { options: readonly { value: string; label: string }[] }) =>
  dictionary.options.map(({ value, label }) => ({ value, label }));
const labels = { name: '分类名称', icon: '图标', visibleTo: '可见范围', state: '状态' };

const display = displayBy({ icon: categoryIcons, visibleTo, state: enabledStates });

/** Dialog 新增 / 编辑 of a group. */
export function CategoryForm({ node, parentId, onClose }: { node: CategoryNode | null; parentId: string | null; onClose(): void }) {
  const fields = (
    <>
      <Field of={modifyInquiryServiceCategory} name="name">
        <Input showCount />
      </Field>
      <Field of={modifyInquiryServiceCategory} name="icon" placeholder="患者端显示的图标" />
      <Field of={modifyInquiryServiceCategory} name="visibleTo">
        <Radio.Group options={optionsOf(visibleTo)} />
      </Field>
      {node && (
        <Field of={modifyInquiryServiceCategory} name="state" extra="停用后不能再放入服务项目">
          <Radio.Group options={optionsOf(enabledStates)} />
        </Field>
      )}
    </>
  );
  const shared = { open: true, onClose, labels, display, width: 440, refreshes: [queryInquiryServiceCategoryList] } as const;
  if (node) {
    return (
      <FormDialog<typeof modifyInquiryServiceCategory, Values>
        {...shared}
        title={`编辑分类：${node.name}`}
        recordKey={node.id}
        initial={node}
        valuesOf={(current) => current as Partial<Values>}
        call={modifyInquiryServiceCategory}
        toInput={(values) => ({
          id: node.id,
          version: node.version,
          name: values.name,
          icon: values.icon ?? null,
          visibleTo: values.visibleTo,
          state: values.state,
        })}
        success="修改成功!"
      >
        {fields}
      </FormDialog>
    );
  }
  return (
    <FormDialog<typeof addInquiryServiceCategory, Values>
      {...shared}
      title={parentId === null ? '新增一级分类' : '新增下级分类'}
      initial={{ visibleTo: 'ALL', icon: null }}
      call={addInquiryServiceCategory}
      toInput={(values) => ({ parentId, name: values.name, icon: values.icon ?? null, visibleTo: values.visibleTo })}
      success={SERVER_MESSAGE}
    >
      {fields}
    </FormDialog>
  );
}
