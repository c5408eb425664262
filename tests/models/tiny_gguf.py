"""Write a model of half a megabyte with random weights, for a real llama.cpp server."""

import gguf
import numpy as np

WIDTH, HEADS, INNER, CONTEXT = 32, 2, 64, 16_384
CHAT = "{% for message in messages %}{{ message['content'] }}\n{% endfor %}"


def write(path):
    """Write the model: one layer, one token for each byte."""
    writer = gguf.GGUFWriter(str(path), "llama")
    writer.add_name("random")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(1)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_file_type(gguf.LlamaFileType.ALL_F32)
    add_tokens(writer)
    add_weights(writer)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def add_tokens(writer):
    special = [b"<unk>", b"<s>", b"</s>"]
    tokens = special + [f"<0x{byte:02X}>".encode() for byte in range(256)]
    kinds = [gguf.TokenType.UNKNOWN, *[gguf.TokenType.CONTROL] * 2]
    writer.add_tokenizer_model("llama")
    writer.add_token_list(tokens)
    writer.add_token_scores([0.0] * len(tokens))
    writer.add_token_types([*kinds, *[gguf.TokenType.BYTE] * 256])
    writer.add_unk_token_id(0)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_add_space_prefix(value=False)
    writer.add_chat_template(CHAT)


def add_weights(writer):
    draw = np.random.default_rng(0)

    def add(name, *shape):
        writer.add_tensor(name, draw.normal(0, 0.3, shape).astype(np.float32))

    add("token_embd.weight", 259, WIDTH)
    add("output.weight", 259, WIDTH)
    writer.add_tensor("output_norm.weight", np.ones(WIDTH, np.float32))
    for name in ("attn_norm", "ffn_norm"):
        writer.add_tensor(f"blk.0.{name}.weight", np.ones(WIDTH, np.float32))
    for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
        add(f"blk.0.{name}.weight", WIDTH, WIDTH)
    for name in ("ffn_gate", "ffn_up"):
        add(f"blk.0.{name}.weight", INNER, WIDTH)
    add("blk.0.ffn_down.weight", WIDTH, INNER)
