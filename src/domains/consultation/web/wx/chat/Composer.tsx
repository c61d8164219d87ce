import { useRef, useState, type KeyboardEvent } from 'react';
import { mediaFault, mediaRules } from '../../../contract/im/limits.ts';
import { imCodes } from '../../../contract/im/codes.ts';
import { Icon, type IconName } from '../../video/Icon.tsx';
import type { Group } from '../access.ts';
import type { SheetName } from '../sheets/Sheet.tsx';
import type { ChatModel } from './chatModel.ts';
import { useVoice } from './useVoice.ts';

const LONGEST = 4_000;
const SHOWN_FROM = 3_500;
const accept = (types: readonly string[]) => types.map((type) => `.${type}`).join(',');

/** Text, pictures, files, voice; what may not be sent is refused before anything is uploaded. */
export function Composer({
  model,
  group,
  hasInquiry,
  onSheet,
}: {
  model: ChatModel;
  group: Group;
  hasInquiry: boolean;
  onSheet(sheet: SheetName): void;
}) {
  const [text, setText] = useState('');
  const [more, setMore] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const typed = useRef(0);
  const picture = useRef<HTMLInputElement>(null);
  const file = useRef<HTMLInputElement>(null);
  const voice = useVoice((recorded, second) => void model.voice(recorded, second), setFault);
  const send = () => {
    const message = text.trim();
    if (message === '') return;
    setText('');
    void model.text(message);
  };
  const sendFiles = (files: FileList | null) => {
    setMore(false);
    for (const one of files ?? []) {
      const kind = one.type.startsWith('image/') ? 'image' : one.type.startsWith('video/') ? 'video' : 'file';
      const refused = mediaFault(kind, one);
      setFault(refused ? imCodes[refused][1] : null);
      if (!refused) void model.file(one);
    }
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  const change = (value: string) => {
    setText(value.slice(0, LONGEST));
    setFault(null);
    if (Date.now() - typed.current > 3_000) {
      typed.current = Date.now();
      model.type();
    }
  };
  const tool = (label: string, sign: IconName, act: () => void) => (
    <button type="button" className="wx-tool" onClick={act}>
      <span>
        <Icon name={sign} size={24} />
      </span>
      {label}
    </button>
  );
  return (
    <footer className="wx-composer">
      {fault && (
        <p className="wx-fault" role="alert">
          {fault}
        </p>
      )}
      {voice.seconds !== null && (
        <p className="wx-recording" role="status">
          正在录音 {voice.seconds}″{' '}
          <button type="button" className="wx-link" onClick={voice.cancel}>
            取消
          </button>
        </p>
      )}
      <div className="wx-compose-row">
        <button
          type="button"
          className="wx-round"
          aria-label={voice.seconds === null ? '录音' : '发送语音'}
          onClick={() => void voice.toggle()}
        >
          <Icon name={voice.seconds === null ? 'mic' : 'send'} />
        </button>
        <textarea
          rows={1}
          value={text}
          placeholder="请输入消息"
          aria-label="消息"
          onChange={(event) => change(event.target.value)}
          onKeyDown={onKey}
          onPaste={(event) => event.clipboardData.files.length > 0 && (event.preventDefault(), sendFiles(event.clipboardData.files))}
        />
        {text.trim() === '' ? (
          <button type="button" className="wx-round" aria-label="更多" aria-expanded={more} onClick={() => setMore(!more)}>
            ＋
          </button>
        ) : (
          <button type="button" className="wx-primary wx-send" onClick={send}>
            发送
          </button>
        )}
      </div>
      {text.length >= SHOWN_FROM && (
        <span className="wx-muted wx-counter">
          {text.length}/{LONGEST}
        </span>
      )}
      {more && (
        <div className="wx-tools">
          {tool('图片', 'picture', () => picture.current?.click())}
          {tool('文件', 'file', () => file.current?.click())}
          {group.userRole === 'PATIENT' && tool('补充资料', 'report', () => (setMore(false), onSheet({ name: 'report' })))}
          {group.userRole === 'DOCTOR' && hasInquiry && tool('用药建议', 'pill', () => (setMore(false), onSheet({ name: 'suggest' })))}
        </div>
      )}
      <input
        ref={picture}
        hidden
        type="file"
        multiple
        accept="image/*"
        onChange={(event) => (sendFiles(event.target.files), (event.target.value = ''))}
      />
      <input
        ref={file}
        hidden
        type="file"
        multiple
        accept={accept(mediaRules.file.types)}
        onChange={(event) => (sendFiles(event.target.files), (event.target.value = ''))}
      />
    </footer>
  );
}
