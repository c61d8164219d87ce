import { Drawer } from 'antd';
import { lazy, Suspense, useState, type ComponentType } from 'react';
import { useMay } from '#kernel/web/session/store.ts';
import { consultationPermissions as may } from '../../../contract/permissions.ts';
import { CannedReplies, GuidanceDesks, RiskWords } from '../../settings/lazyDialogs.ts';

const Limits = lazy(async () => ({ default: (await import('./Limits.tsx')).Limits }));
const Ringing = lazy(async () => ({ default: (await import('./Ringing.tsx')).Ringing }));
const Timing = lazy(async () => ({ default: (await import('./Timing.tsx')).Timing }));

interface Part {
  key: string;
  label: string;
  permission?: { code: string };
  content: ComponentType;
}
const parts: readonly Part[] = [
  { key: 'canned', label: '快捷回复', content: CannedReplies },
  { key: 'desks', label: '导诊台', permission: may['desk.manage'], content: GuidanceDesks },
  { key: 'limits', label: '同时接待上限', permission: may['chat.supervise'], content: Limits },
  { key: 'timing', label: '时效与自动回复', permission: may['chat.supervise'], content: Timing },
  { key: 'words', label: '敏感词', permission: may['chat.supervise'], content: RiskWords },
  { key: 'ringing', label: '通知偏好', content: Ringing },
];

/** 设置: each part is loaded when it is opened; what only supervisors change is shown to them alone. */
export function SettingsDrawer({ onClose }: { onClose(): void }) {
  const mayDo = useMay();
  const shown = parts.filter(({ permission }) => permission === undefined || mayDo(permission));
  const [key, setKey] = useState(shown[0]?.key);
  const Content = shown.find((part) => part.key === key)?.content;
  return (
    <Drawer open size={960} title="设置" onClose={onClose} className="im-settings">
      <nav className="im-side" role="tablist" aria-orientation="vertical">
        {shown.map((part) => (
          <button key={part.key} type="button" role="tab" aria-selected={part.key === key} onClick={() => setKey(part.key)}>
            {part.label}
          </button>
        ))}
      </nav>
      <div className="im-setting" key={key}>
        <Suspense fallback={<div className="kq-loading" />}>{Content && <Content />}</Suspense>
      </div>
    </Drawer>
  );
}
