import { Form, Input } from 'antd';
import { plusDays, startOfDay } from '#kernel/contract/time.ts';
import DayInput from '#kernel/web/form/DayInput.tsx';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { asHeld } from '#kernel/web/form/formRules.ts';
import { bindMark, queryMarkObjectList, type BindOutcome } from '../../contract/marks/calls/bindings.ts';
import { queryTagGroupList } from '../../contract/marks/calls/groups.ts';
import type { Mark, TagGroup } from '../../contract/marks/calls/shared.ts';
import { objectTypes } from '../../contract/marks/dictionaries.ts';
import { numbersOf } from './numbersOf.ts';

const MOST = 500;

interface Values {
  numbers: string;
  lastDay?: string | null;
  note?: string;
}

interface BindDialogProps {
  group: TagGroup;
  mark: Mark;
  onClose(): void;
  onDone(outcomes: readonly BindOutcome[]): void;
}

/** Dialog 批量打标: numbers as they are copied from a table, one mark for all of them. */
export function BindDialog({ group, mark, onClose, onDone }: BindDialogProps) {
  const noun = objectTypes.label(group.objectType);
  return (
    <FormDialog<typeof bindMark, Values>
      open
      title={`批量打标：${mark.markName}`}
      width={560}
      call={bindMark}
      refreshes={[queryTagGroupList, queryMarkObjectList]}
      onClose={onClose}
      onDone={({ data }) => onDone(data)}
      toInput={({ numbers, lastDay, note }) => ({
        markIds: [mark.id],
        objectType: group.objectType,
        objectNos: numbersOf(numbers),
        expireAt: lastDay ? startOfDay(plusDays(lastDay, 1)) : null,
        note: note ?? '',
      })}
    >
      <Form.Item
        label={`${noun}编号`}
        name="numbers"
        required
        extra={`每行一个，也可用空格或逗号分隔，最多${MOST}个`}
        rules={[
          asHeld((text?: string) => {
            const count = numbersOf(text ?? '').length;
            if (count === 0) return `请输入${noun}编号`;
            return count > MOST ? `最多${MOST}个对象` : null;
          }),
        ]}
      >
        <Input.TextArea rows={6} />
      </Form.Item>
      <Form.Item label="到期日期" name="lastDay" extra={mark.defaultDays === null ? '不填则长期有效' : `不填则${mark.defaultDays}天后到期`}>
        <DayInput />
      </Form.Item>
      <Field of={bindMark} name="note" />
    </FormDialog>
  );
}
