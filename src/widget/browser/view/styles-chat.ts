const messages = `
.log{position:relative;flex:1;min-height:0;overflow-y:auto;overscroll-behavior:contain;padding:18px;scrollbar-width:thin;scrollbar-color:var(--edge) transparent}
.log:focus-visible,.page:focus-visible{outline-offset:-3px}
.greet{padding:16px 0 8px}
.greet h3{font-size:22px;line-height:1.3;font-weight:650;letter-spacing:-.01em}
.chips{margin-top:18px;display:grid;gap:8px}
.chip{width:100%;text-align:start;border:1px solid var(--line);border-radius:12px;padding:10px 14px;font-size:14px;line-height:1.4;background:var(--bg)}
.chip:hover{border-color:var(--accent);background:var(--tint)}
.question{display:flex;flex-direction:column;align-items:flex-end;margin-top:20px}
.question:first-child{margin-top:0}
.bubble{background:var(--tint);padding:9px 14px;border-radius:16px 16px 4px 16px;max-width:86%;white-space:pre-wrap}
.question .note{margin-top:4px}
.fail{display:flex;align-items:center;justify-content:flex-end;gap:10px;margin-top:6px;text-align:end}
.answer{margin-top:16px}
.answer>*+*{margin-top:10px}
.dots{display:flex;align-items:center;gap:5px;min-height:24px;color:var(--muted);font-size:14px}
.dots i{width:6px;height:6px;border-radius:50%;background:currentColor;animation:blink 1.2s infinite}
.dots i:nth-child(2){animation-delay:.15s}
.dots i:nth-child(3){animation-delay:.3s;margin-right:6px}
@keyframes blink{0%,60%,100%{opacity:.3}30%{opacity:1}}
.stretch{background:none;color:inherit;text-decoration:underline dotted var(--edge) 2px;text-underline-offset:4px}
.note{display:flex;align-items:baseline;gap:6px}
.cite{display:inline;padding:1px 6px;margin:0 1px;border-radius:6px;background:var(--tint);color:var(--fg);font-size:12px;font-weight:600;line-height:1.3;font-variant-numeric:tabular-nums}
.cite:hover{background:var(--accent);color:var(--on)}
.tools{display:flex;gap:2px;margin-left:-8px}
.answer>.tools{margin-top:6px}
.small[aria-pressed=true]{color:var(--accent)}
.small[aria-pressed=true] path{fill:var(--tint)}
.sources{border:1px solid var(--line);border-radius:12px;overflow:hidden}
.sources h3{font-size:12px;font-weight:600;color:var(--muted);padding:8px 12px 2px}
.source{padding:0 4px 0 12px}
.source+.source{border-top:1px solid var(--line)}
.source>div{display:flex;align-items:center;gap:10px;min-height:40px;font-size:14px}
.source .title{flex:1;min-width:0;padding:6px 0;text-align:start;line-height:1.35}
.source .title small{color:var(--muted);font-size:12px;white-space:nowrap}
.source a.title{color:var(--fg);font-weight:500}
.number{font-size:12px;font-weight:600;min-width:22px;line-height:20px;border-radius:6px;text-align:center;background:var(--tint);flex:none;align-self:flex-start;margin-top:9px}
.source [aria-expanded] svg{transition:transform .15s}
.source [aria-expanded=true] svg{transform:rotate(180deg)}
.excerpt{margin:0 8px 12px 0;padding-left:12px;border-left:2px solid var(--accent);font-size:13px;line-height:1.5;color:var(--muted);white-space:pre-line;max-height:220px;overflow-y:auto}
.card{border:1px solid var(--line);border-radius:12px;padding:14px;background:var(--soft)}
.card>*+*{margin-top:10px}
.card h3{font-size:14px;font-weight:600}
.banner{display:flex;width:100%;align-items:center;gap:10px;padding:10px 18px;border-radius:0;text-align:start;font-size:14px;font-weight:500;background:var(--tint);flex:none}
.banner:focus-visible{outline-offset:-2px}
`;

const composer = `
.latest{position:absolute;left:50%;bottom:100%;margin:0 0 10px -18px;width:36px;height:36px;border-radius:50%;display:grid;place-items:center;background:var(--bg);border:1px solid var(--edge);box-shadow:0 4px 14px var(--shade)}
.composer{position:relative;padding:0 14px 14px;flex:none}
.box{display:flex;align-items:flex-end;gap:6px;border:1px solid var(--edge);border-radius:14px;padding:5px 5px 5px 14px;background:var(--bg);transition:border-color .15s}
.box:focus-within{border-color:var(--accent);box-shadow:0 0 0 1px var(--accent)}
textarea{flex:1;min-width:0;border:0;padding:6px 0;background:none;resize:none;font-size:16px;line-height:24px;height:36px;max-height:156px;overflow-y:auto;outline:0!important}
::placeholder{color:var(--muted);opacity:1}
.send{width:36px;height:36px;border-radius:10px;display:grid;place-items:center;background:var(--accent);color:var(--on);flex:none}
.left-over{display:block;text-align:end;padding:4px 4px 0;font-size:12px;color:var(--muted)}
.over{color:var(--bad)}
`;

/** What `renderMarkdown` makes. */
const markdown = `
.text>*+*,.text li>p+*{margin-top:10px}
.text :is(h1,h2,h3,h4,h5,h6){font-size:15px;font-weight:650;line-height:1.4;white-space:normal;margin-top:16px}
.text :is(ul,ol){padding-left:22px}
.text ul{list-style:disc}
.text ol{list-style:decimal}
.text li+li,.text li>:is(ul,ol){margin-top:4px}
.text blockquote{border-left:3px solid var(--line);padding-left:12px;color:var(--muted)}
.text hr{border:0;border-top:1px solid var(--line)}
.text code{font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;background:var(--soft);border-radius:5px;padding:1px 5px}
.text pre{overflow-x:auto;padding:12px}
.text pre code{padding:0;background:none;white-space:pre;overflow-wrap:normal}
.text table{border-collapse:collapse;font-size:14px}
.text :is(th,td){border:1px solid var(--line);padding:5px 10px;text-align:start;vertical-align:top;overflow-wrap:normal}
.text th{background:var(--soft);font-weight:600}
`;

export const chatStyles = messages + composer + markdown;
