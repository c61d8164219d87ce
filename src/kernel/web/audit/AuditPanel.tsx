import { Button, Drawer, Skeleton, Space } from 'antd';
import { useEffect, type ReactNode } from 'react';
import type { Shortcut } from '../keyboard/keys.ts';
import { PanelKeys } from '../keyboard/PanelKeys.tsx';
import { TableFailure } from '../kit/TableState.tsx';
import { actionKeys, ActionButtons, decisionActions, type AuditAction } from './ActionButtons.tsx';
import type { Decision } from './verdict.ts';
import './auditPanel.css';

interface AuditPanelProps<V extends string> {
  caseId: string;
  open: boolean;
  title: ReactNode;
  /** State tag and lease beside the title. */
  state?: ReactNode;
  /** `3 / 12`, position of the case in the queue. */
  position?: string;
  loading?: boolean;
  error?: unknown;
  onRetry?(): void;
  /** Left: what proves it. */
  evidence: ReactNode;
  /** Centre: facts and differences. */
  facts: ReactNode;
  /** Right: findings and the form of the verdict. */
  verdict: ReactNode;
  timeline: ReactNode;
  actions: readonly AuditAction[];
  /** Absent: this auditor decides nothing. Ctrl+Enter, also within fields, sends the verdict that was chosen. */
  decision?: Decision<V>;
  onNext(): void;
  onPrevious(): void;
  onClose(): void;
}

/** One case of an audit queue over the whole width; J and K move, the acts have keys of their own, Ctrl+Enter submits. */
export function AuditPanel<V extends string>(props: AuditPanelProps<V>) {
  const { open, decision, onNext, onPrevious, onClose } = props;
  const actions = [...props.actions, ...(decision ? decisionActions(decision) : [])];
  return (
    <Drawer
      open={open}
      onClose={onClose}
      size="100%"
      destroyOnHidden
      title={
        <Space size="middle">
          <span>{props.title}</span>
          {props.state}
        </Space>
      }
      extra={
        <Space>
          {props.position && <span className="kq-muted kq-number">{props.position}</span>}
          <Button size="small" onClick={onPrevious}>
            上一件 K
          </Button>
          <Button size="small" onClick={onNext}>
            下一件 J
          </Button>
        </Space>
      }
      footer={
        <div className="kq-form-foot">
          <span className="kq-muted">
            J 下一件　K 上一件　{actions.map((act) => `${act.keys} ${act.label}`).join('　')}
            {decision ? '　Ctrl+Enter 提交' : ''}
          </span>
          <ActionButtons actions={actions} />
        </div>
      }
    >
      {open && <AuditKeys caseId={props.caseId} shortcuts={actionKeys(actions, decision)} onNext={onNext} onPrevious={onPrevious} />}
      {props.error ? (
        <TableFailure error={props.error} onRetry={props.onRetry} />
      ) : props.loading ? (
        <Skeleton active paragraph={{ rows: 12 }} />
      ) : (
        <div className="kq-audit">
          <section className="kq-audit-evidence">{props.evidence}</section>
          <section className="kq-audit-facts">{props.facts}</section>
          <section className="kq-audit-verdict">{props.verdict}</section>
          <section className="kq-audit-timeline">{props.timeline}</section>
        </div>
      )}
    </Drawer>
  );
}

interface AuditKeysProps extends Pick<AuditPanelProps<string>, 'caseId' | 'onNext' | 'onPrevious'> {
  shortcuts: readonly Shortcut[];
}

function AuditKeys({ caseId, shortcuts, onNext, onPrevious }: AuditKeysProps) {
  useEffect(() => {
    // A field of the former case that kept the focus would swallow the keys of this one.
    const { activeElement: field } = document;
    if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) field.blur();
  }, [caseId]);
  return (
    <PanelKeys shortcuts={[{ keys: 'J', label: '下一件', act: onNext }, { keys: 'K', label: '上一件', act: onPrevious }, ...shortcuts]} />
  );
}
