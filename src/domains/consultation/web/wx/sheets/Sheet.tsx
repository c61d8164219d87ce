import { useEffect, useRef, type ReactNode } from 'react';
import type { AnswerOf } from '#kernel/contract/call.ts';
import type { queryMyInquiry } from '../../../contract/calls/participants.ts';
import type { Group } from '../access.ts';
import type { ChatModel } from '../chat/chatModel.ts';

/** A panel from below on phones, in the middle elsewhere; closes by its cross, Escape and a click outside. */
export function Sheet({ title, onClose, children, footer }: { title: string; onClose(): void; children: ReactNode; footer?: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    if (element && !element.open) element.showModal();
  }, []);
  return (
    <dialog
      ref={dialog}
      className="wx-sheet"
      aria-label={title}
      onCancel={(event) => (event.preventDefault(), onClose())}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <div className="wx-sheet-body">
        <header>
          <b>{title}</b>
          <button type="button" className="wx-cross" aria-label="关闭" onClick={onClose}>
            ✕
          </button>
        </header>
        <div className="wx-sheet-content">{children}</div>
        {footer && <footer>{footer}</footer>}
      </div>
    </dialog>
  );
}

export type Inquiry = AnswerOf<typeof queryMyInquiry>;

export type SheetName = { name: 'rate' | 'refuse' | 'suggest' | 'patient' | 'record' | 'again' } | { name: 'report'; requestId?: string };

export interface SheetProps {
  group: Group;
  inquiry: Inquiry;
  model: ChatModel;
  onClose(): void;
  onMoved(): void;
}
