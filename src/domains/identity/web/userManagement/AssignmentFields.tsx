import { Form } from 'antd';
import { DayInput } from '../shared/DayInput.tsx';
import { RoleSelect } from '../shared/RoleSelect.tsx';
import { ScopeEditor } from '../shared/ScopeEditor.tsx';
import '../shared/page.css';

interface AssignmentFieldsProps {
  /** Path of the assignment inside the form: `['roles', 0]`. */
  path: readonly (string | number)[];
  /** Path below the list that the fields are named by; absent: the whole path. */
  listName?: number;
  /** The role stands already. */
  fixedRole?: boolean;
  without?: readonly string[];
}

/** 角色, 数据范围, 有效期 of one assignment. */
export function AssignmentFields({ path, listName, fixedRole = false, without }: AssignmentFieldsProps) {
  const name = (field: string) => (listName === undefined ? [...path, field] : [listName, field]);
  return (
    <>
      {!fixedRole && (
        <Form.Item label="角色" name={name('roleId')} rules={[{ required: true, message: '请选择角色' }]}>
          <RoleSelect {...(without && { without })} />
        </Form.Item>
      )}
      <Form.Item label="数据范围" name={name('scope')}>
        <ScopeEditor />
      </Form.Item>
      <div className="id-two">
        <Form.Item label="生效日期" name={name('validFrom')} tooltip="不填为当天">
          <DayInput />
        </Form.Item>
        <Form.Item
          label="失效日期"
          name={name('validTo')}
          tooltip="不填为长期有效"
          dependencies={[[...path, 'validFrom']]}
          rules={[
            ({ getFieldValue }) => ({
              validator: async (_rule, to?: string | null) => {
                const from: unknown = getFieldValue([...path, 'validFrom']);
                if (to && typeof from === 'string' && to < from) throw new Error('失效日期不能早于生效日期');
              },
            }),
          ]}
        >
          <DayInput />
        </Form.Item>
      </div>
    </>
  );
}
