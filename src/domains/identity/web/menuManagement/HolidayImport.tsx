import { Alert, Input, Modal } from 'antd';
import { useMemo, useState } from 'react';
import { useCommand } from '#kernel/web/http/queries.ts';
import { modifyWorkCalendar, queryWorkCalendar } from '../../contract/calls/system.ts';
import { parseHolidays } from './calendarDays.ts';

const EXAMPLE = '2027-10-01 至 2027-10-07 休 国庆节\n2027-10-09 班 国庆节调休';

/** 导入节假日安排: the yearly list of the State Council, pasted line by line and checked while it is typed. */
export function HolidayImport({ onClose }: { onClose(): void }) {
  const [text, setText] = useState('');
  const { days, faults } = useMemo(() => parseHolidays(text), [text]);
  const save = useCommand(modifyWorkCalendar, { success: '修改成功!', refreshes: [queryWorkCalendar], onSuccess: onClose });
  const rests = days.filter((day) => !day.isWorkday).length;
  return (
    <Modal
      open
      title="导入节假日安排"
      width={620}
      okText={days.length ? `导入${days.length}天` : '导入'}
      cancelText="取消"
      okButtonProps={{ disabled: days.length === 0 || faults.length > 0 || save.busy }}
      confirmLoading={save.flying}
      mask={{ closable: false }}
      onOk={() => void save.run({ days })}
      onCancel={onClose}
    >
      <p className="kq-muted">按国务院办公厅公布的安排逐行填写：日期或日期范围、休或班、说明。</p>
      <Input.TextArea
        rows={10}
        value={text}
        placeholder={EXAMPLE}
        aria-label="节假日安排"
        onChange={(event) => setText(event.target.value)}
      />
      {faults.length > 0 && (
        <Alert
          type="error"
          showIcon
          style={{ marginTop: 10 }}
          title={faults.slice(0, 3).join('；') + (faults.length > 3 ? `…等${faults.length}处` : '')}
        />
      )}
      {days.length > 0 && faults.length === 0 && (
        <Alert
          type="info"
          showIcon
          style={{ marginTop: 10 }}
          title={`${days[0]?.day} 至 ${days.at(-1)?.day}：休息${rests}天，调休上班${days.length - rests}天`}
        />
      )}
    </Modal>
  );
}
