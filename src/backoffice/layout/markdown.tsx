import type { ComponentChildren } from 'preact';
import type { Block, Inline } from '../../chat/markdown/blocks.js';
import { parseMarkdown } from '../../chat/markdown/parse-markdown.js';
import { showFootnotes } from '../../platform/text/footnotes.js';
import { entryPathOf } from './entry-links.js';
import { useShown } from './shown.js';

interface MarkdownProps {
  text: string;
  /** The language of the text, for screen readers and hyphenation. */
  language: string;
  /** The level of the text's outermost headings. */
  level?: number;
}

/** The most characters that are read as Markdown: all other requests wait meanwhile. */
const longest = 20_000;

/** A text as visitors see it, by the reader of the widget. Raw HTML stays text, and so does what is too long. */
export function Markdown({ text, language, level = 3 }: MarkdownProps) {
  const end = text.length <= longest ? longest : text.lastIndexOf('\n', longest) + 1 || longest;
  return (
    <div class="markdown" lang={language}>
      <Blocks blocks={parseMarkdown(showFootnotes(text.slice(0, end)))} level={level} />
      {text.length > end ? <p class="plain">{text.slice(end)}</p> : null}
    </div>
  );
}

function Blocks({ blocks, level }: { blocks: readonly Block[]; level: number }) {
  const outermost = Math.min(...blocks.map((one) => (one.type === 'heading' ? one.level : 6)));
  return (
    <>
      {blocks.map((block, index) => (
        <OneBlock key={index} block={block} level={level} outermost={outermost} />
      ))}
    </>
  );
}

interface OneBlockProps {
  block: Block;
  level: number;
  /** The level of the text's largest heading. */
  outermost: number;
}

function OneBlock({ block, level, outermost }: OneBlockProps) {
  switch (block.type) {
    case 'paragraph':
      return <p>{inline(block.children)}</p>;
    case 'heading': {
      const Heading = `h${Math.min(level + block.level - outermost, 6)}` as 'h3';
      return <Heading>{inline(block.children)}</Heading>;
    }
    case 'code':
      return (
        <pre tabIndex={0}>
          <code>{block.text}</code>
        </pre>
      );
    case 'quote':
      return (
        <blockquote>
          <Blocks blocks={block.children} level={level} />
        </blockquote>
      );
    case 'list': {
      const items = <Blocks blocks={block.children} level={level} />;
      return block.start === undefined ? <ul>{items}</ul> : <ol start={block.start}>{items}</ol>;
    }
    case 'item':
      return (
        <li>
          <Blocks blocks={block.children} level={level} />
        </li>
      );
    case 'table':
      return (
        <div class="scroll" tabIndex={0}>
          <table>
            <thead>
              <tr>
                {block.head.map((cell, index) => (
                  <th key={index} scope="col">
                    {inline(cell)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {block.children.map((row, index) => (
                <tr key={index}>
                  {row.map((cell, column) => (
                    <td key={column}>{inline(cell)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
    case 'rule':
      return <hr />;
  }
}

function inline(nodes: readonly Inline[]): ComponentChildren {
  return nodes.map((node, index) => {
    switch (node.type) {
      case 'text':
        return node.text;
      case 'code':
        return <code key={index}>{node.text}</code>;
      case 'break':
        return <br key={index} />;
      case 'citation':
        return `[${node.number}]${node.sign}`;
      case 'link':
        return (
          <Link key={index} href={node.href}>
            {inline(node.children)}
          </Link>
        );
      default: {
        const Mark = node.type;
        return <Mark key={index}>{inline(node.children)}</Mark>;
      }
    }
  });
}

function Link({ href, children }: { href: string; children: ComponentChildren }) {
  const { at } = useShown();
  const path = entryPathOf(href);
  if (path !== undefined) return <a href={at(path)}>{children}</a>;
  return (
    <a href={href} rel="noopener noreferrer nofollow" target="_blank">
      {children}
    </a>
  );
}
