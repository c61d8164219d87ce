import { Button, Checkbox, Drawer, Form, Radio } from 'antd';
import { useEffect, useState } from 'react';
import { hideWork, showWork } from '#kernel/web/feedback/progress.tsx';
import { send } from '#kernel/web/http/client.ts';
import { refresh, useCommand, useData } from '#kernel/web/http/queries.ts';
import { Waiting } from '#kernel/web/kit/TableState.tsx';
import type { RowOutcome } from '#kernel/web/list/rowOutcome.ts';
import { useLeaving } from '#kernel/web/tabs/page.tsx';
import {
  batchGenerateDoctorCard,
  generateDoctorCard,
  previewDoctorCard,
  queryDoctorCardList,
  queryDoctorCardTask,
  type CardRow,
  cardFields,
  usualFields,
  type CardField,
} from '../../contract/calls/cards.ts';
import { cardTemplates } from '../../contract/dictionaries.ts';
import { TextInput } from '#kernel/web/kit/TextInput.tsx';
import '../staffing/staffing.css';

interface Values {
  template: 'BLUE' | 'GREEN' | 'GOLD';
  headline?: string;
  showFields?: CardField[];
  keepLooks?: boolean;
}
const TYPING_MS = 500;
const FOLLOW_MS = 1_000;

const looksOf = ({ template, headline, showFields }: Values) => ({
  template,
  headline: headline?.trim() ?? '',
  showFields: showFields ?? [],
});

/** Follows a batch in the corner until it ends, also after the drawer is closed. */
async function watchTask(
  taskId: string,
  taskNo: string,
  total: number,
  onEnd: (outcomes: readonly RowOutcome[], total: number) => void,
): Promise<void> {
  for (;;) {
    const task = await send(queryDoctorCardTask, { taskId }, { quiet: true });
    const running = task.state === 'RUNNING';
    showWork({
      id: `cards:${taskId}`,
      title: `生成名片 ${taskNo}`,
      percent: Math.round((task.done / total) * 100),
      text: `${task.done}/${total}${task.failures.length > 0 ? `，失败${task.failures.length}` : ''}`,
      state: running ? 'running' : task.failures.length > 0 ? 'failed' : 'done',
    });
    void refresh(queryDoctorCardList);
    if (!running) {
      if (task.failures.length === 0) setTimeout(() => hideWork(`cards:${taskId}`), FOLLOW_MS * 3);
      return onEnd(task.failures, total);
    }
    await new Promise((resolve) => setTimeout(resolve, FOLLOW_MS));
  }
}

/** Looks of one card or of many; what the first will look like is shown beside. */
export function CardForm({
  rows,
  onDone,
  onClose,
  onOutcome,
}: {
  rows: readonly CardRow[];
  onDone?(): void;
  onClose(): void;
  onOutcome(outcomes: readonly RowOutcome[], total: number): void;
}) {
  const [form] = Form.useForm<Values>();
  const [first] = rows;
  const many = rows.length > 1;
  const initial: Values = {
    template: first?.template ?? 'BLUE',
    headline: many ? '' : (first?.headline ?? ''),
    showFields: many || first?.state === 'NONE' ? [...usualFields] : ((first?.showFields ?? usualFields) as CardField[]),
    keepLooks: true,
  };
  const [shown, setShown] = useState(looksOf(initial));
  const [touched, setTouched] = useState(false);
  const close = useLeaving(touched, onClose);
  const values = Form.useWatch([], form) as Values | undefined;
  useEffect(() => {
    if (!values?.template) return;
    const timer = setTimeout(() => setShown(looksOf(values)), TYPING_MS);
    return () => clearTimeout(timer);
  }, [values]);
  const preview = useData(previewDoctorCard, { doctorId: first?.id ?? '', looks: shown }, { enabled: first !== undefined, quiet: true });
  const one = useCommand(generateDoctorCard, { success: '已开始生成', refreshes: [queryDoctorCardList] });
  const several = useCommand(batchGenerateDoctorCard, { refreshes: [queryDoctorCardList] });
  const submit = async () => {
    const wish = await form.validateFields().catch(() => null);
    if (!wish || !first) return;
    if (!many) {
      if (!(await one.run({ doctorId: first.id, ...looksOf(wish) }))) return;
      onDone?.();
      onClose();
      return;
    }
    const answer = await several.run({ doctorIds: rows.map(({ id }) => id), keepLooks: wish.keepLooks ?? false, ...looksOf(wish) });
    if (!answer) return;
    onDone?.();
    onClose();
    // The connection broke: the list goes on showing the states, the batch goes on by itself.
    watchTask(answer.data.taskId, answer.data.taskNo, answer.data.total, onOutcome).catch(() => hideWork(`cards:${answer.data.taskId}`));
  };
  return (
    <Drawer
      open
      size={860}
      title={many ? `批量生成名片（${rows.length} 位医生）` : `生成名片：${first?.doctorName ?? ''}`}
      onClose={close}
      mask={{ closable: false }}
      footer={
        <div className="kq-form-foot">
          <span />
          <Button onClick={close}>取消</Button>
          <Button type="primary" loading={one.flying || several.flying} disabled={one.busy || several.busy} onClick={() => void submit()}>
            生成
          </Button>
        </div>
      }
    >
      <div className="st-preview">
        <div className="st-phone">{preview.data ? <img src={preview.data.poster} alt="海报预览" /> : <Waiting for={preview} />}</div>
        <Form<Values> form={form} layout="vertical" initialValues={initial} onValuesChange={() => setTouched(true)}>
          <Form.Item label="模板" name="template">
            <Radio.Group options={cardTemplates.options.map(({ value, label }) => ({ value, label }))} />
          </Form.Item>
          <Form.Item label="标题语" name="headline">
            <TextInput most={30} showCount placeholder="如：守护您的心脏健康" />
          </Form.Item>
          <Form.Item label="展示内容" name="showFields" extra="姓名、职称、医院与二维码始终展示">
            <Checkbox.Group options={cardFields.options.map(({ value, label }) => ({ value, label }))} />
          </Form.Item>
          {many && (
            <Form.Item name="keepLooks" valuePropName="checked">
              <Checkbox>已有名片的医生保留各自的模板与内容</Checkbox>
            </Form.Item>
          )}
          {many && <p className="kq-muted">左侧为 {first?.doctorName} 的预览；生成过程中可离开页面，进度显示在右下角。</p>}
        </Form>
      </div>
    </Drawer>
  );
}
