const messages = `
.greet{padding:14px 0}
.greet .face{width:56px;height:56px;border-radius:16px;margin-bottom:16px}
.greet .face svg{width:30px;height:30px}
.greet h3{font-size:22px;line-height:1.3}
.greet p{margin-top:6px}
.chips{margin-top:18px;display:grid;gap:8px}
.chip{padding:10px 14px}
.chip:is(:hover,[aria-pressed=true]){border-color:var(--accent);background:var(--tint)}
.card .chips,.pair{flex-wrap:wrap}
.question{align-items:end;margin-bottom:14px;gap:6px}
.bubble{background:var(--tint);padding:9px 14px;border-radius:16px 16px 4px;max-width:86%;white-space:pre-wrap}
.long{max-height:189px;overflow:hidden}
.online .queued{display:none}
.pair>:first-child{flex:1 170px}
.up,.pair button{margin-left:auto}
.question .pair,.left{text-align:end}
.question:has(+.answer) .pair{display:none}
.answer{margin-bottom:24px}
.answer>*+*,.below>*+*,.text>*+*,.text li>*+*,blockquote>*+*{margin-top:10px}
i{width:6px;height:6px;margin-right:-5px;border-radius:50%;background:currentColor;animation:busy .6s infinite alternate}
i+i{animation-delay:.15s}
i+i+i{animation-delay:.3s;margin:0}
mark{background:#f2b01e33;color:inherit;border-radius:4px}
[data-label]:after{content:attr(data-label);display:inline-block;margin-top:3px;padding:0 6px;border:1px solid var(--edge);border-radius:6px;background:var(--bg);font-size:12px;white-space:nowrap}
.cite{margin:0 1px;line-height:1.4}
.tools{display:flex;margin-left:-8px}
.copy{padding:0 8px}
.tools svg,summary svg{width:17px}
.down svg,[open]>summary>svg{transform:rotate(180deg)}
[aria-pressed=true]{color:var(--accent)}
[aria-pressed=true] path{fill:var(--tint)}
.sources li{position:relative;border-top:1px solid var(--line)}
summary,.sources div{align-items:start}
.sources div{margin-right:40px}
div+*>summary{position:absolute;top:0;right:0}
blockquote{border-left:3px solid var(--line);padding-left:12px}
.excerpt{margin:0 12px 12px;border-color:var(--accent);white-space:pre-line}
.card{padding:14px}
`;

const composer = `
.composer{padding:4px 14px 14px}
.latest{align-self:center;margin:6px}
.box{gap:6px;border-radius:14px;padding:5px 5px 5px 14px}
.box:focus-within{border-color:var(--accent);box-shadow:0 0 0 1px var(--accent)}
textarea{flex:1;min-width:0;border:0;padding:6px 0;background:none;resize:none;font-size:16px;line-height:24px;min-height:36px;max-height:156px;outline:0!important}
::placeholder{opacity:1}
.send{align-self:end}
.stop path{fill:currentColor}
`;

/** Styles for the output of `updateMarkdown`. A scrolling block has a shade at its end until the end is reached. */
const markdown = `
h3,h4,h5,h6{font-size:15px}
.text :is(h3,h4,h5,h6){margin-top:16px}
.text :is(ul,ol){padding-left:22px}
.text li+li,.text li>:is(ul,ol){margin-top:4px}
hr{border:0;border-top:1px solid var(--line)}
code{font:13px/1.5 ui-monospace,Menlo,Consolas,monospace;border-radius:5px}
:not(pre)>code{padding:1px 5px;background:var(--soft)}
.code{border-radius:10px;overflow:hidden}
.code>div{padding:4px 4px 0 12px}
.code>div>button{padding:3px 10px}
.code>div>button:hover{background:var(--line)}
pre,.table{overflow-x:auto;background:linear-gradient(270deg,var(--under,var(--bg)) 30%,transparent) 100%/40px 100% no-repeat local,linear-gradient(270deg,var(--shade),transparent) 100%/16px 100% no-repeat}
.code,.card{--under:var(--soft)}
pre{padding:6px 12px 12px}
table{border-collapse:collapse}
th,td{border:1px solid var(--line);padding:5px 10px;text-align:start;overflow-wrap:normal}
`;

export const chatStyles = messages + composer + markdown;
