import { todayHere } from '#kernel/web/form/today.ts';
import { Form } from 'antd';
import { plusDays } from '#kernel/contract/time.ts';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import MonthInput from '#kernel/web/form/MonthInput.tsx';
import { addReplay, queryReplayList } from '../../contract/replays/calls.ts';
import type { TestOwner } from '../../contract/tests/dictionaries.ts';

interface Months {
  from: string;
  to: string;
}

const lastMonth = () => plusDays(`${todayHere().slice(0, 7)}-01`, -1).slice(0, 7);
const endOf = (month: string) => {
  // Twenty-eight days on is still this month, four more are the next one.
  const next = plusDays(`${month}-28`, 4).slice(0, 7);
  return plusDays(`${next}-01`, -1);
};

/** Which decided claims are worked out again. */
export function StartReplay({ ownerType, ownerId, onClose }: { ownerType: TestOwner; ownerId: string; onClose(): void }) {
  return (
    <FormDialog<typeof addReplay, Months>
      open
      title="发起历史回放"
      call={addReplay}
      initial={{ from: lastMonth(), to: lastMonth() }}
      toInput={({ from, to }) => ({ ownerType, ownerId, fromDate: `${from}-01`, toDate: endOf(to) })}
      refreshes={[queryReplayList]}
      success="操作成功!"
      onClose={onClose}
    >
      <Form.Item label="结案月份起" name="from" required rules={[{ required: true, message: '请选择开始月份' }]}>
        <MonthInput />
      </Form.Item>
      <Form.Item label="结案月份止" name="to" required rules={[{ required: true, message: '请选择结束月份' }]} extra="一次最多20000件">
        <MonthInput />
      </Form.Item>
    </FormDialog>
  );
}
