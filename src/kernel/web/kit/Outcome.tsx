import { Button } from 'antd';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { copyText } from '../feedback/copy.ts';

interface OutcomeProps {
  kind: 'success' | 'info' | 'error';
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
}

const signs = { success: '✓', info: 'i', error: '✕' } as const;

/** What came of a piece of work, in the middle of a drawer or page. */
export function Outcome({ kind, title, children, actions }: OutcomeProps) {
  return (
    <div className={`kq-outcome kq-outcome-${kind}`} role="status">
      <i aria-hidden>{signs[kind]}</i>
      <h3>{title}</h3>
      {children && <p className="kq-muted">{children}</p>}
      {actions}
    </div>
  );
}

/** A text that is shown once, with a button that copies it. */
export function CopyText({ children }: { children: string }) {
  const [copied, setCopied] = useState(false);
  return (
    <span className="kq-copy">
      <code>{children}</code>
      <Button size="small" onClick={() => void copyText(children).then(setCopied)}>
        {copied ? '已复制' : '复制'}
      </Button>
    </span>
  );
}
