import type { Inquiry } from '../desk/facts.ts';
import { useDeskState } from '../desk/useDesk.ts';
import { Thumb, useFilePreview } from '../chat/messages/filePreview.tsx';

/** 主诉 and what the patient handed in with the current inquiry. */
export function Complaint() {
  const section = useDeskState((state) => state.chat?.sections.inquiry);
  const { open, preview } = useFilePreview();
  const inquiry = section?.state === 'ready' ? (section.data as Inquiry) : null;
  if (!inquiry || (!inquiry.chiefComplaint && inquiry.attachments.length === 0)) return null;
  const isPicture = (name: string) => /\.(?:jpe?g|png|gif|webp|heic)$/i.test(name);
  return (
    <div className="im-complaint">
      {inquiry.chiefComplaint && (
        <p>
          <b>主诉</b>
          {inquiry.chiefComplaint}
        </p>
      )}
      {inquiry.attachments.length > 0 && (
        <div className="im-attachments">
          {inquiry.attachments.map((file, index) =>
            isPicture(file.fileName) ? (
              <Thumb key={file.fileId} fileId={file.fileId} label={file.fileName} onOpen={() => open(inquiry.attachments, index)} />
            ) : (
              <button key={file.fileId} type="button" className="kq-link" onClick={() => open(inquiry.attachments, index)}>
                {file.fileName}
              </button>
            ),
          )}
        </div>
      )}
      {preview}
    </div>
  );
}
