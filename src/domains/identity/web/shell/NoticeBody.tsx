import './shell.css';

const LINK = /(https?:\/\/[^\s，。；、）)]+)/;

/** Plain text in which addresses are links; nothing in it is read as markup. */
export function NoticeBody({ text }: { text: string }) {
  return (
    <p className="id-notice-body">
      {text.split(LINK).map((part, index) =>
        LINK.test(part) ? (
          <a key={index} href={part} target="_blank" rel="noopener noreferrer">
            {part}
          </a>
        ) : (
          part
        ),
      )}
    </p>
  );
}
