import { Button, Select } from 'antd';
import { toast } from '#kernel/web/feedback/toast.ts';
import { useCommand } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { modifyDutyState, takeNextGroup } from '../../contract/calls/queue.ts';
import { dutyStates, type DutyState } from '../../contract/dictionaries.ts';
import { groupConversation } from '../../contract/im/ids.ts';
import type { ConversationID } from '../../contract/im/types.ts';
import { consultationPermissions as may } from '../../contract/permissions.ts';
import type { Mode } from './desk/choose.ts';
import { useDesk, useDeskState } from './desk/useDesk.ts';
import { SettingsDrawer, StatDrawer } from './lazyDialogs.ts';

interface ChooseProps {
  onChoose(id: ConversationID, mode: Mode): void;
}

/** 接入下一位: takes the most urgent one of the pool and opens it. */
export function useTakeNext(onChoose: ChooseProps['onChoose']) {
  const desk = useDesk();
  const { run, busy } = useCommand(takeNextGroup, {
    blockMs: 600,
    onSuccess: ({ data }) => {
      desk.changed(data.groupId);
      onChoose(groupConversation(data.groupId), 'MEMBER');
    },
  });
  return { takeNext: () => void run({}), busy };
}

function Connection() {
  const net = useDeskState((state) => state.net);
  const kicked = useDeskState((state) => state.kicked);
  if (kicked)
    return (
      <span className="im-net im-net-off" role="status">
        已在其他设备登录
        <button type="button" className="kq-link" onClick={() => location.reload()}>
          在此登录
        </button>
      </span>
    );
  if (net === 'connected')
    return (
      <span className="im-net im-net-on" role="status">
        已连接
      </span>
    );
  return (
    <span className="im-net im-net-off" role="status">
      网络已断开，正在重连…
    </span>
  );
}

/** Top strip: duty, load, the next patient, connection, figures, settings. */
export function Strip({ onChoose }: ChooseProps) {
  const desk = useDesk();
  const assistant = useDeskState((state) => state.runtime?.assistant);
  const counts = useDeskState((state) => state.counts);
  const layers = useLayers();
  const duty = useCommand(modifyDutyState, {
    blockMs: 300,
    onSuccess: ({ data }) => (desk.setDuty(data.state), void desk.facts.queue(), toast(`已切换为${dutyStates.label(data.state)}`)),
  });
  const next = useTakeNext(onChoose);
  if (!assistant) return null;
  const isFull = counts.serving >= assistant.maxConcurrent;
  return (
    <header className="im-strip">
      <b>{assistant.name}</b>
      <Select<DutyState>
        size="small"
        aria-label="接待状态"
        value={assistant.duty}
        disabled={duty.flying}
        style={{ width: 92 }}
        options={dutyStates.options.map(({ value, label }) => ({
          value: value as DutyState,
          label: <span className={`im-duty im-duty-${value}`}>{label}</span>,
        }))}
        onChange={(state) => void duty.run({ state })}
      />
      <span className={isFull ? 'im-load im-full' : 'im-load'} title="正在接待的会话 / 同时接待上限">
        接待{' '}
        <b className="kq-number">
          {counts.serving}/{assistant.maxConcurrent}
        </b>
        <i style={{ width: `${Math.min(100, (counts.serving / assistant.maxConcurrent) * 100)}%` }} />
      </span>
      <Button
        size="small"
        type="primary"
        disabled={next.busy || counts.queued === 0 || assistant.duty !== 'ON' || isFull}
        onClick={next.takeNext}
        title={
          assistant.duty !== 'ON'
            ? '请先切换为在岗'
            : isFull
              ? `接待数已达上限（${assistant.maxConcurrent}），请先处理现有会话`
              : counts.queued === 0
                ? '暂无待接入的会话'
                : 'Alt+G'
        }
      >
        接入下一位{counts.queued > 0 ? `（${counts.queued}）` : ''}
      </Button>
      {counts.overSla > 0 && (
        <span className="im-over" role="status">
          超时 {counts.overSla}
        </span>
      )}
      <Connection />
      <span className="im-grow" />
      <Can permission={may['chat.supervise']}>
        <Button size="small" onClick={() => layers.open((close) => <StatDrawer onClose={close} />)}>
          接待数据
        </Button>
      </Can>
      <Button size="small" onClick={() => layers.open((close) => <SettingsDrawer onClose={close} />)}>
        设置
      </Button>
      {layers.shown}
    </header>
  );
}
