import { Form, Select } from 'antd';
import { useEffect, useState } from 'react';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { useList } from '#kernel/web/http/queries.ts';
import { BatchResult } from '#kernel/web/list/BatchResult.tsx';
import type { RowOutcome } from '#kernel/web/list/rowOutcome.ts';
import type { Role } from '../../contract/calls/roles.ts';
import { addUserRole } from '../../contract/calls/userRoles.ts';
import { queryUserInfoList } from '../../contract/calls/users.ts';
import { AssignmentFields } from '../userManagement/AssignmentFields.tsx';
import { doneText } from '../shared/dutyWarnings.ts';
import { assignmentInput, newAssignmentValues } from '../userManagement/assignment.ts';
import type { AssignmentValues } from '../userManagement/assignment.ts';

interface Values {
  people: { value: string; label: string }[];
  assignment: AssignmentValues;
}

const PAUSE_MS = 300;
const MOST = 100;

/** 添加成员: people found by name, one scope for all, a result row by row. */
export function AddMembers({ role, onClose, onDone }: { role: Role; onClose(): void; onDone(): void }) {
  const [form] = Form.useForm<Values>();
  const [outcomes, setOutcomes] = useState<readonly RowOutcome[] | null>(null);
  if (outcomes) return <BatchResult title="添加成员" outcomes={outcomes} total={outcomes.length} running={false} onClose={onClose} />;
  let finished = false;
  return (
    <FormDialog<typeof addUserRole, Values>
      open
      form={form}
      title={`添加成员：${role.name}`}
      width={600}
      call={addUserRole}
      initial={{ people: [], assignment: newAssignmentValues() }}
      toInput={({ people, assignment }) => ({
        userIds: people.map(({ value }) => value),
        ...assignmentInput({ ...assignment, roleId: role.id }),
      })}
      onDone={({ data }) => {
        finished = true;
        const people = form.getFieldValue('people') as Values['people'];
        setOutcomes(
          data.results.map(({ userId, ok, message, warnings }) => ({
            name: String(people.find(({ value }) => value === userId)?.label ?? userId),
            ok,
            message: ok ? doneText(warnings) : message,
          })),
        );
        onDone();
      }}
      onClose={() => {
        if (!finished) onClose();
      }}
    >
      <Form.Item
        label="用户"
        name="people"
        rules={[
          { required: true, type: 'array', min: 1, message: '请选择用户' },
          { type: 'array', max: MOST, message: `一次最多分配${MOST}名用户` },
        ]}
      >
        <PeopleSelect />
      </Form.Item>
      <AssignmentFields path={['assignment']} fixedRole />
    </FormDialog>
  );
}

/** Staff users found on the server by name. */
function PeopleSelect({ id, value, onChange }: { id?: string; value?: Values['people']; onChange?(people: Values['people']): void }) {
  const [typed, setTyped] = useState('');
  const [displayName, setDisplayName] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setDisplayName(typed.trim().slice(0, 20)), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const { rows, fetching, error } = useList(
    queryUserInfoList,
    { pageNo: 1, pageSize: 50, state: ['ENABLED', 'PENDING'], ...(displayName && { displayName }) },
    { quiet: true },
  );
  return (
    <Select<Values['people']>
      {...(id && { id })}
      mode="multiple"
      labelInValue
      allowClear
      value={value ?? []}
      options={(rows ?? []).map((user) => ({ value: user.id, label: `${user.displayName}（${user.opNo}）` }))}
      placeholder="输入姓名查找"
      loading={fetching}
      showSearch={{ filterOption: false, onSearch: setTyped }}
      notFoundContent={error ? '用户加载失败，请重试' : fetching ? '加载中…' : '没有匹配的用户'}
      onChange={(next) => onChange?.(next.map(({ value: userId, label }) => ({ value: userId, label })))}
    />
  );
}
